import type { PetstoreErrorCode } from './generated/types.ts';

/** Members of a {@link PetstoreError} besides its message. */
export interface ErrorDetails {
  readonly code: PetstoreErrorCode;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The error of a call that did not succeed. Calls end with no other error, except the reason of the caller's own abort signal, and
 * a TypeError where an integer is given as a number that may have been rounded.
 */
export class PetstoreError extends Error {
  override readonly name = 'PetstoreError';
  /**
   * The stable code of the service. Three are the client's own: `network_error` if no whole response came, `timeout` if it did
   * not come in time, and `unexpected_response` if it is not one of the service.
   */
  readonly code: PetstoreErrorCode;
  /** The status of the response, if there was one. */
  readonly status: number | undefined;
  /** Identifies the request in the logs of the service; give it when you report a fault. */
  readonly requestId: string | undefined;
  /** Seconds that the service asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { code, status, requestId, retryAfter, cause }: ErrorDetails) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** The error in a response outside 2xx. */
export function errorOf({ status, headers }: Response, text: string): PetstoreError {
  const requestId = headers.get('x-request-id') ?? undefined;
  const retryAfter = secondsOf(headers.get('retry-after'));
  const { code, message } = membersOf(text);
  return typeof code === 'string' && typeof message === 'string'
    ? new PetstoreError(message, { code, status, requestId, retryAfter })
    : unexpectedResponse(status, { requestId, retryAfter });
}

/** Returns the seconds of a `Retry-After`, which is a number of seconds or an HTTP date (RFC 9110, section 10.2.3). */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  if (!HTTP_DATE.test(retryAfter)) return undefined;
  const seconds = Math.ceil((Date.parse(retryAfter) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** An HTTP date as senders write it; `Date.parse()` takes other texts as well. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** The error for a response that does not come from the service but, for instance, from a proxy. */
export function unexpectedResponse(status: number, details: Omit<ErrorDetails, 'code'>): PetstoreError {
  const message = `The response with status ${status} is not one of the petstore service.`;
  return new PetstoreError(message, { ...details, status, code: 'unexpected_response' });
}

function membersOf(text: string): { code?: unknown; message?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    return {};
  }
}
