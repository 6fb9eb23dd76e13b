import type { BrownoutWindow } from '../../platform/deprecation/operation-states';
import { DAY_MS, dayOf } from '../../platform/values/calendar';

/** How many days before today calls are estimated from at most: full weeks, so that every weekday counts as often. */
export const BASIS_DAYS = 28;

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** What an estimate of calls rests on. The members are stable: scripts read them. */
export interface HistoryView {
  /** Full days since the operation was first called, of the last four weeks. */
  readonly days: number;
  /** The first and the last of them, as `2026-01-31`; null when there is none. */
  readonly from: string | null;
  readonly to: string | null;
  /** Weekdays of the windows that are none of these days. */
  readonly missingWeekdays: readonly string[];
  /** What is missing, for people; null when nothing is. */
  readonly note: string | null;
}

/**
 * The full days that calls are estimated from, the oldest first: those since the first call, of the last four weeks. Today is
 * not over, so it is none of them.
 *
 * @param first the day of the first call, in UTC
 */
export function historyDays(first: string, now: Date): string[] {
  const days: string[] = [];
  for (let ago = BASIS_DAYS; ago >= 1; ago--) {
    const day = dayOf(now.getTime() - ago * DAY_MS);
    if (day >= first) days.push(day);
  }
  return days;
}

/** The day of the week of a day, from 0 for Sunday. */
export function weekdayOf(day: string): number {
  return new Date(day).getUTCDay();
}

/**
 * What the estimate of an operation's calls rests on.
 *
 * @param first the day of its first call; undefined when there was none
 * @param windows that calls are estimated for
 */
export function viewHistory(
  operation: string,
  first: string | undefined,
  windows: readonly BrownoutWindow[],
  now: Date,
): HistoryView {
  const days = first === undefined ? [] : historyDays(first, now);
  const known = new Set(days.map(weekdayOf));
  const missing = [...new Set(windows.flatMap((window) => daysToCome(window, now)).map(weekdayOf))]
    .filter((weekday) => !known.has(weekday))
    .sort((a, b) => a - b)
    .map((weekday) => WEEKDAYS[weekday] as string);
  return {
    days: days.length,
    from: days[0] ?? null,
    to: days.at(-1) ?? null,
    missingWeekdays: missing,
    note: noteOf(operation, { first, days, missing, now }),
  };
}

/** The days of a window that are not past. */
function daysToCome({ from, to }: BrownoutWindow, now: Date): string[] {
  const days: string[] = [];
  for (let at = from.getTime(); at < to.getTime(); at = (Math.floor(at / DAY_MS) + 1) * DAY_MS) {
    if (dayOf(at) >= dayOf(now)) days.push(dayOf(at));
  }
  return days;
}

function noteOf(
  operation: string,
  about: { first: string | undefined; days: readonly string[]; missing: readonly string[]; now: Date },
): string | null {
  const { first, days, missing, now } = about;
  if (first === undefined) return `No key has called ${operation} yet, so there is nothing to estimate from.`;
  if (days.length === 0) {
    return `${operation} was called today for the first time, so there is no full day to estimate from: today so far (${dayOf(now)}) is taken for a whole day, and more calls are to be expected.`;
  }
  if (days.length === BASIS_DAYS) return null;
  if (days.length === 1) {
    return `${operation} has a history of only 1 full day, ${days[0]}: the estimate rests on it alone.`;
  }
  const known = `${operation} has a history of only ${days.length} full days, from ${days[0]} to ${days.at(-1)}`;
  if (missing.length === 0) return `${known}.`;
  return `${known}, and of no ${missing.join(', ')}: the average of the days there are is taken for ${missing.length === 1 ? 'it' : 'these'}.`;
}
