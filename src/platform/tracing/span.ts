import { currentContext, inContext } from './request-context';
import type { Span, SpanAttributes } from './tracing';

/** Options of a span. They are created once, and used each time the work is done. */
export interface SpanOptions {
  readonly name: string;
  readonly attributes: SpanAttributes;
}

/** Tells whether the request in progress is traced; false outside requests. */
export function isTraced(): boolean {
  return currentContext()?.span !== undefined;
}

/** Does work in a span of its own, when the request in progress is traced. */
export function inSpan<T>({ name, attributes }: SpanOptions, work: () => Promise<T>): Promise<T> {
  const context = currentContext();
  if (!context?.span) return work();
  const span = context.span.child(name, attributes);
  return inContext({ ...context, span }, () => ending(span, work));
}

/** Begins a span whose work ends elsewhere, when the request in progress is traced. */
export function beginSpan({ name, attributes }: SpanOptions): Span | undefined {
  return currentContext()?.span?.child(name, attributes);
}

async function ending<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
