import type { BrownoutWindow } from '../../platform/config/deprecated-operations';
import { DAY_MS, dayOf } from './days';

/** What a day to come is judged by: full weeks, so that every weekday counts as often. */
export const BASIS_DAYS = 28;

/** How calls of a window are estimated, for people. */
export const ESTIMATE_BASIS =
  'Calls are counted by day (UTC) and taken to be spread evenly over it; a day to come is taken to be like the same weekday in the last four weeks.';

/** What one key calls, from what it called each day. */
export class CallEstimate {
  private readonly today: string;

  /** @param calls by day in UTC, as `2026-01-31`, of the last four weeks and of the days past that are asked for */
  constructor(
    private readonly calls: ReadonlyMap<string, number>,
    private readonly now: Date,
  ) {
    this.today = dayOf(now);
  }

  /** How many calls come, or came, in a window. */
  during({ from, to }: BrownoutWindow): number {
    let calls = 0;
    const end = to.getTime();
    for (let at = from.getTime(); at < end;) {
      const midnight = (Math.floor(at / DAY_MS) + 1) * DAY_MS;
      calls += (this.on(at) * (Math.min(midnight, end) - at)) / DAY_MS;
      at = midnight;
    }
    return calls;
  }

  private on(instant: number): number {
    const day = dayOf(instant);
    return day < this.today ? (this.calls.get(day) ?? 0) : this.onWeekday(new Date(instant).getUTCDay());
  }

  private onWeekday(weekday: number): number {
    const weeks = BASIS_DAYS / 7;
    let calls = 0;
    // Today is not over, so it is no day to judge by.
    for (let ago = 1; ago <= BASIS_DAYS; ago++) {
      const day = this.now.getTime() - ago * DAY_MS;
      if (new Date(day).getUTCDay() === weekday) calls += this.calls.get(dayOf(day)) ?? 0;
    }
    return calls / weeks;
  }
}
