/** From where and how often a key may be used, beyond what holds for every key. */
export interface KeyRules {
  /** In CIDR notation; empty, it may be used from anywhere. */
  readonly networks: readonly string[];
  /** Requests in a minute, in place of the common limit. */
  readonly limitPerMinute: number | null;
  /** Requests in a month of the calendar in UTC. */
  readonly quotaPerMonth: number | null;
}

/** The most that the members of {@link KeyRules} can be. */
export const MOST = { networks: 100, limitPerMinute: 10_000_000, quotaPerMonth: 1_000_000_000 } as const;
