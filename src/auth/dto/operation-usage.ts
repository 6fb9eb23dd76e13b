/** Conditions on uses; an unset member is no condition. */
export interface UsageFilter {
  readonly keyId?: string | undefined;
  readonly operation?: string | undefined;
}

/** First and last day of a range, both included, in UTC, as `2026-01-31`. */
export interface UsageDays {
  readonly from: string;
  readonly to: string;
}

/** Calls of one operation by one key since the key was made. */
export interface OperationUsage {
  readonly keyId: string;
  readonly operation: string;
  readonly count: number;
  /** ISO 8601, UTC. */
  readonly lastUsedAt: string;
}

/** Members by which the uses of a day can be told apart. */
export interface UsesOfDay {
  readonly keyId: string;
  readonly operation: string;
  /** Day in UTC, as `2026-01-31`. */
  readonly day: string;
}

/** Uses added up by some of these members. */
export type UsageSum<By extends keyof UsesOfDay> = Pick<UsesOfDay, By> & { readonly count: number };
