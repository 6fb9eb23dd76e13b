/** What to look for; what is not set does not matter. */
export interface UsageFilter {
  readonly keyId?: string | undefined;
  readonly operation?: string | undefined;
}

/** Days of the calendar in UTC, as `2026-01-31`, the first and the last included. */
export interface UsageDays {
  readonly from: string;
  readonly to: string;
}

/** How often one key has called one operation since it was made. */
export interface OperationUsage {
  readonly keyId: string;
  readonly operation: string;
  readonly count: number;
  /** ISO 8601, UTC. */
  readonly lastUsedAt: string;
}

/** What uses of a day can be told apart by. */
export interface UsesOfDay {
  readonly keyId: string;
  readonly operation: string;
  /** In UTC, as `2026-01-31`. */
  readonly day: string;
}

/** Uses added up by some of that. */
export type UsageSum<By extends keyof UsesOfDay> = Pick<UsesOfDay, By> & { readonly count: number };
