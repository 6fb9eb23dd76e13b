import { currentContext, inContext } from './request-context';
import type { Span, SpanAttributes } from './tracing';

/** How a piece of work is called in a trace; made once for all times it is done. */
export interface Step {
  readonly name: string;
  readonly attributes: SpanAttributes;
}

/** Whether the request in progress is traced; never outside requests. */
export function isTraced(): boolean {
  return currentContext()?.span !== undefined;
}

/** Does work as a step of the request in progress, when that is traced. */
export function asStep<T>(step: Step, work: () => Promise<T>): Promise<T> {
  const context = currentContext();
  if (!context?.span) return work();
  const span = context.span.child(step.name, step.attributes);
  return inContext({ ...context, span }, () => ending(span, work));
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
