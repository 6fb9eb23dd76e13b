import type { IncomingMessage } from 'node:http';
import type { ParentSpan } from './traceparent';

/** What is said of a span, by OpenTelemetry's names. Never a value a client sent. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A piece of work as a trace shows it. */
export interface Span {
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Begins a piece of work within this one. */
  child(name: string, attributes: SpanAttributes): Span;
  /** Ends it. @param error what the work threw */
  end(error?: unknown): void;
}

/** A request as a trace shows it. */
export interface RequestSpan extends Span {
  /**
   * Ends it.
   *
   * @param route its path template, unless none matched
   * @param status of the response; undefined when its client went away before
   */
  responded(method: string, route: string | undefined, status: number | undefined): void;
}

/** Records what requests do, and sends it to a collector. */
export interface Tracing {
  /** Begins the span of a request, below the parent span that the request names, if any. */
  begin(request: IncomingMessage, parent: ParentSpan | undefined): RequestSpan;
  /** Sends what is left, as far as two seconds allow; never throws. */
  close(): Promise<void>;
}

/** Injection token of the process's {@link Tracing}; undefined where there is no collector. */
export const TRACING = Symbol('TRACING');
