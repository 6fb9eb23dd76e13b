/** Limits of a client in place of the common ones. */
export interface OwnLimits {
  /** Requests per minute, in place of those of every client. */
  readonly perMinute: number | undefined;
  /** Requests per calendar month in UTC. */
  readonly perMonth: number | undefined;
}

/** Client that a request comes from, known by its API key. */
export interface Principal {
  /** Id of the API key; safe to log. */
  readonly keyId: string;
  /** Id of the first key of its chain of rotations: the client's belongings are tied to this. */
  readonly lineageId: string;
  /** Whom the key was given to, as operators have written it. */
  readonly owner?: string | undefined;
  /** Scopes of the key. */
  readonly scopes: ReadonlySet<string>;
  /** Limits of the client's own, if any. */
  readonly limits?: OwnLimits | undefined;
}

/** Tells whether the principal has all required scopes. */
export function covers(principal: Principal, required: readonly string[]): boolean {
  return required.every((scope) => principal.scopes.has(scope));
}
