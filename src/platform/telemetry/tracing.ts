import type { IncomingMessage } from 'node:http';

/** What is said of a span, by OpenTelemetry's names. Never a value a client sent. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A step of a request, as a trace shows it. */
export interface Span {
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Begins a step within this one. */
  child(name: string, attributes: SpanAttributes): Span;
  /** Names it anew, when more is known of it. */
  rename(name: string): void;
  /** @param errorType what went wrong, in a word; nothing did when it is unset */
  end(attributes?: SpanAttributes, errorType?: string): void;
}

/** Records what requests do, and sends it to a collector. */
export interface Tracing {
  /** Begins the span of a request, as a part of its sender's trace when it names one. */
  begin(request: IncomingMessage): Span;
  /** Sends what is left, as far as two seconds allow; never throws. */
  close(): Promise<void>;
}
