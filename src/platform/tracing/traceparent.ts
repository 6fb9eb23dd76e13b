import type { IncomingMessage } from 'node:http';

/** The span of a client, as its request names it. */
export interface ParentSpan {
  /** 32 hexadecimal digits, not all 0. */
  readonly traceId: string;
  /** 16 hexadecimal digits, not all 0. */
  readonly spanId: string;
  /** True if the client may have recorded the span. */
  readonly isSampled: boolean;
}

/** version-format of W3C Trace Context, section 3.2.2; a later version may add more after the flags. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

const SAMPLED = 0x01;

/**
 * Parses a `traceparent` (https://www.w3.org/TR/trace-context/#traceparent-header); returns undefined when it is malformed,
 * which is treated like a missing one.
 */
export function parseTraceparent(value: string): ParentSpan | undefined {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(value) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** Returns the parent span that a request names, if any. */
export function parentSpanOf({ headers: { traceparent } }: IncomingMessage): ParentSpan | undefined {
  // Node joins repeated fields with a comma. That makes them malformed, as the specification wants it.
  return typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined;
}
