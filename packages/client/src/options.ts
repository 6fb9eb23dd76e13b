import type { PetstoreError } from './petstore-error.ts';

/** Options of a client. */
export interface ClientOptions {
  /** Address of the service, such as `https://api.example.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Sends requests in place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /**
   * Milliseconds a call may take with all its retries; 15,000 unless given. Walking a list, each page is a call, and only a
   * budget that was given bounds how long it waits for the rate limit.
   */
  readonly budget?: number | undefined;
  /** Milliseconds one attempt may take; 10,000 unless given. */
  readonly attemptTimeout?: number | undefined;
  /** Called before each pause of a call, when it is attempted again or has to wait for its rate limit. */
  readonly onWait?: ((notice: WaitNotice) => void) | undefined;
  /** Called with a notice for each response that announces the end of its operation. */
  readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

/** Notice that a call pauses before its next attempt. */
export interface WaitNotice {
  /** The operation's name, such as `listPets`. */
  readonly operation: string;
  /** How long it pauses. */
  readonly milliseconds: number;
  /** Error of the last attempt. */
  readonly error: PetstoreError;
}

/** Notice that an operation will be removed (RFC 9745, RFC 8594). */
export interface DeprecationNotice {
  /** The operation's name, such as `getPet`. */
  readonly operation: string;
  /** Time since which it is deprecated. */
  readonly deprecation: Date | undefined;
  /** Time at which it will be removed. */
  readonly sunset: Date | undefined;
  /** The page that explains it. */
  readonly link: string | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds in place of the client's own {@link ClientOptions.budget}. */
  readonly budget?: number | undefined;
  /** Header fields to send besides, such as `X-Request-Id`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of a call that adds something. */
export interface CreationOptions extends CallOptions {
  /** A key of your own in place of a random one, to repeat the same call after your process has ended. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a call that changes or deletes something. */
export interface ChangeOptions extends CallOptions {
  /**
   * The `etag` of the state you have seen: if another client has changed it since, the call is refused with
   * `precondition_failed`.
   */
  readonly ifMatch?: string | undefined;
}

/** Options of a call that reads something only if it has changed. */
export interface ConditionalOptions extends CallOptions {
  /** The `etag` of the state you have: if it has not changed since, the call gives `undefined`. */
  readonly ifNoneMatch: string | undefined;
}
