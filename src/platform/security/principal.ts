/** How much a client may ask for, where that is its own. */
export interface OwnLimits {
  /** Requests in a minute, in place of those every client may make. */
  readonly perMinute: number | undefined;
  /** Requests in a month of the calendar in UTC. */
  readonly perMonth: number | undefined;
}

/** Who a request comes from: what an API key stands for. */
export interface Principal {
  /** Id of the API key; safe to log. */
  readonly keyId: string;
  /** Id of the first key of its chain of rotations: what belongs to the client belongs to this. */
  readonly lineageId: string;
  /** What the key may do. */
  readonly scopes: ReadonlySet<string>;
  /** Unset where it has none of its own. */
  readonly limits?: OwnLimits | undefined;
}

/** Whether the principal's scopes cover all of those required. */
export function covers(principal: Principal, required: readonly string[]): boolean {
  return required.every((scope) => principal.scopes.has(scope));
}
