/** A minute, in milliseconds. */
export const MINUTE_MS = 60_000;

/** A day, in milliseconds. */
export const DAY_MS = 86_400_000;

/** Returns the day of a time in UTC, such as `2026-01-31`. */
export function dayOf(instant: Date | number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/**
 * Returns the days from today's date to that of a time, in UTC as all times are shown: 0 today, 1 tomorrow, negative in the
 * past.
 */
export function daysUntil(instant: Date, now: Date): number {
  return dayNumber(instant) - dayNumber(now);
}

/** Writes a number of days from today: `today`, `tomorrow`, `in 3 days`. */
export function inDays(days: number): string {
  if (days === 0) return 'today';
  return days === 1 ? 'tomorrow' : `in ${days} days`;
}

function dayNumber(instant: Date): number {
  return Math.floor(instant.getTime() / DAY_MS);
}
