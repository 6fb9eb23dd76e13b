import type { BrownoutWindow } from '../../platform/deprecation/operation-states';
import { weekdayOf } from './call-history';
import { DAY_MS, dayOf } from '../../platform/values/calendar';

/** How calls of a window are estimated, for people. */
export const ESTIMATE_BASIS =
  'Calls are counted by day (UTC) and taken to be spread evenly over it. A day to come is taken to be like the same weekday in the last four weeks, counted from the first call of a key; without such a weekday like the average of its days, and without a full day like today so far.';

/** What one key calls, from what it called each day. */
export class CallEstimate {
  private readonly today: string;

  /**
   * @param calls by day in UTC, as `2026-01-31`: of its history, of today and of the days past that are asked for
   * @param history the full days to estimate from (see `historyDays`)
   */
  constructor(
    private readonly calls: ReadonlyMap<string, number>,
    readonly history: readonly string[],
    now: Date,
  ) {
    this.today = dayOf(now);
  }

  /** How many calls come, or came, in a window. */
  during({ from, to }: BrownoutWindow): number {
    let calls = 0;
    const end = to.getTime();
    for (let at = from.getTime(); at < end;) {
      const midnight = (Math.floor(at / DAY_MS) + 1) * DAY_MS;
      calls += (this.on(dayOf(at)) * (Math.min(midnight, end) - at)) / DAY_MS;
      at = midnight;
    }
    return calls;
  }

  private on(day: string): number {
    if (day < this.today) return this.calls.get(day) ?? 0;
    const alike = this.history.filter((past) => weekdayOf(past) === weekdayOf(day));
    const days = [alike, this.history].find(({ length }) => length > 0) ?? [this.today];
    return days.reduce((sum, each) => sum + (this.calls.get(each) ?? 0), 0) / days.length;
  }
}
