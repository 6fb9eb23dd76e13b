import type { BrownoutWindow } from '../../platform/deprecation/operation-states';
import { DAY_MS } from '../../platform/values/calendar';
import { InvalidPlanError } from './deprecation.errors';

/** A plan to switch an operation off for a while, longer and longer, before it is removed. */
export interface BrownoutSchedule {
  /** The day of the first window in UTC, as `2030-09-02`. */
  readonly first: string;
  /** The latest day of a window; the sunset by default. */
  readonly last?: string | undefined;
  /** Start of each window, in UTC, as `10:00`. */
  readonly at: string;
  /** Time from the start of one window to the next, in milliseconds. */
  readonly everyMs: number;
  /** Lengths of the windows in milliseconds, ascending; each is used for an equal share of the windows. */
  readonly lengthsMs: readonly number[];
}

/** Most windows of a plan: nobody can announce more. */
const MAX_WINDOWS = 200;

/**
 * Computes the windows of a schedule, all before the sunset.
 *
 * @throws InvalidPlanError
 */
export function planWindows(schedule: BrownoutSchedule, sunset: Date, now: Date): BrownoutWindow[] {
  const { first, at, everyMs, lengthsMs } = schedule;
  if (lengthsMs.length === 0)
    throw new InvalidPlanError('lengths', 'A plan needs at least one length of a window.');
  if (lengthsMs.some((length, index) => length < (lengthsMs[index - 1] ?? 0))) {
    throw new InvalidPlanError('lengths', 'The lengths of the windows must not fall.');
  }
  const start = instantOf(first, at);
  if (start < now.getTime())
    throw new InvalidPlanError('first', 'The first window must begin in the future.');
  const end = schedule.last === undefined ? sunset.getTime() : instantOf(schedule.last, '00:00') + DAY_MS;
  const starts: number[] = [];
  for (let from = start; from < Math.min(end, sunset.getTime()); from += everyMs) {
    if (starts.length === MAX_WINDOWS) {
      throw new InvalidPlanError(
        'every',
        `That would be more than ${MAX_WINDOWS} windows: let more time pass between them.`,
      );
    }
    starts.push(from);
  }
  if (starts.length === 0) {
    throw new InvalidPlanError('first', 'No window fits between the first day, the last day and the sunset.');
  }
  return starts.map((from, index) => {
    const length = lengthsMs[Math.floor((index * lengthsMs.length) / starts.length)] as number;
    if (length >= everyMs)
      throw new InvalidPlanError('every', 'The windows must not overlap: let more time pass between them.');
    // A window that would reach past the sunset ends with it.
    return { from: new Date(from), to: new Date(Math.min(from + length, sunset.getTime())) };
  });
}

/** Unix milliseconds of a day and a time that have been validated already. */
function instantOf(day: string, time: string): number {
  return Date.parse(`${day}T${time}:00Z`);
}
