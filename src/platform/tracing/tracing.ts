import type { IncomingMessage } from 'node:http';
import type { ParentSpan } from './traceparent';

/** Attributes of a span, by OpenTelemetry's names. Never a value a client sent. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A piece of work in a trace. */
export interface Span {
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Begins a piece of work within this one. */
  child(name: string, attributes: SpanAttributes): Span;
  /** Ends the span. @param error of the work, if it failed */
  end(error?: unknown): void;
}

/** A request in a trace. */
export interface RequestSpan extends Span {
  /**
   * Ends the span.
   *
   * @param route path template of the request; undefined when no route matched
   * @param status of the response; undefined when the client went away before
   */
  responded(method: string, route: string | undefined, status: number | undefined): void;
}

/** Records the work of requests, and sends it to a collector. */
export interface Tracing {
  /** Begins the span of a request, below the parent span that the request names, if any. */
  begin(request: IncomingMessage, parent: ParentSpan | undefined): RequestSpan;
  /** Sends the remaining spans, as far as two seconds allow; never throws. */
  close(): Promise<void>;
}

/** Injection token of the process's {@link Tracing}; undefined without a collector. */
export const TRACING = Symbol('TRACING');
