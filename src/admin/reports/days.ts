import type { UsageDays } from '../../auth/dto/operation-usage';

export const DAY_MS = 86_400_000;

/** The day of an instant in UTC, as `2026-01-31`. */
export function dayOf(instant: Date | number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** So many days, today the last. */
export function lastDays(count: number, now: Date): UsageDays {
  return { from: dayOf(now.getTime() - (count - 1) * DAY_MS), to: dayOf(now) };
}
