/** What a client is made with. */
export interface ClientOptions {
  /** Where the service is, such as `https://api.example.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What sends requests in place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** How many milliseconds a call may take with all its retries; 15,000 unless given. */
  readonly budget?: number | undefined;
  /** How many milliseconds one attempt may take; 10,000 unless given. */
  readonly attemptTimeout?: number | undefined;
  /** Is told of each response that announces the end of its operation. */
  readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

/** That an operation is to go (RFC 9745, RFC 8594). */
export interface DeprecationNotice {
  /** The operation's name, such as `getPet`. */
  readonly operation: string;
  /** Since when it is deprecated. */
  readonly deprecation: Date | undefined;
  /** When it goes away. */
  readonly sunset: Date | undefined;
  /** The page that explains it. */
  readonly link: string | undefined;
}

/** What any call can be given. */
export interface CallOptions {
  /** Ends the call with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's own {@link ClientOptions.budget}. */
  readonly budget?: number | undefined;
  /** Header fields to send besides, such as `X-Request-Id`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What a call that adds something can be given. */
export interface CreationOptions extends CallOptions {
  /** Your own in place of a random one, to go on with the same call after your process has ended. */
  readonly idempotencyKey?: string | undefined;
}

/** What a call that changes or deletes something can be given. */
export interface ChangeOptions extends CallOptions {
  /** The `etag` of what you have seen: another client's change since then is refused with `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

/** What a call that reads something can be given to read it only when it has changed. */
export interface ConditionalOptions extends CallOptions {
  /** The `etag` of what you have: when nothing has changed since, the call gives `undefined`. */
  readonly ifNoneMatch: string | undefined;
}
