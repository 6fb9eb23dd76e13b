import type { PetstoreErrorCode } from './generated/types.ts';

/** What a {@link PetstoreError} knows besides its message. */
export interface ErrorDetails {
  readonly code: PetstoreErrorCode;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** Why a call did not succeed; every error of the client is one, but the reason of the caller's own abort signal. */
export class PetstoreError extends Error {
  override readonly name = 'PetstoreError';
  /**
   * The stable code of the service. Three are the client's own: `network_error` when no whole response came, `timeout`
   * when it did not come in time, and `unexpected_response` for one that is not of the service.
   */
  readonly code: PetstoreErrorCode;
  /** The status of the response, if there was one. */
  readonly status: number | undefined;
  /** Identifies the request in the logs of the service; give it when you report a fault. */
  readonly requestId: string | undefined;
  /** For how many seconds the service asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { code, status, requestId, retryAfter, cause }: ErrorDetails) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** The error that a response outside 2xx tells of. */
export function errorOf({ status, headers }: Response, text: string): PetstoreError {
  const requestId = headers.get('x-request-id') ?? undefined;
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10);
  const retryAfter = Number.isNaN(seconds) ? undefined : seconds;
  const { code, message } = membersOf(text);
  return typeof code === 'string' && typeof message === 'string'
    ? new PetstoreError(message, { code, status, requestId, retryAfter })
    : unexpectedResponse(status, { requestId, retryAfter });
}

/** The error of a response that the service would not give: a proxy's, for instance. */
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
