/** Networks a key may be used from and limits on its requests, beyond what holds for every key. */
export interface KeyRules {
  /** Networks in CIDR notation; if empty, the key may be used from anywhere. */
  readonly networks: readonly string[];
  /** Requests in a minute, in place of the common limit. */
  readonly limitPerMinute: number | null;
  /** Requests in a month of the calendar in UTC. */
  readonly quotaPerMonth: number | null;
}

/** Upper limits of the members of {@link KeyRules}. */
export const MOST = { networks: 100, limitPerMinute: 10_000_000, quotaPerMonth: 1_000_000_000 } as const;
