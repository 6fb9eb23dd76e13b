import { DAY_MS } from '../../platform/values/calendar';

/** Steps of time of one length: those of all figures over time, and the x axis of their chart. */
export class Steps {
  constructor(
    /** Beginning of the first step. */
    readonly from: Date,
    /** Length of each step in milliseconds. */
    readonly ms: number,
    /** Number of steps. */
    readonly count: number,
  ) {}

  /** The last days in UTC, today included. */
  static lastDays(count: number, now = Date.now()): Steps {
    const today = Math.floor(now / DAY_MS) * DAY_MS;
    return new Steps(new Date(today - (count - 1) * DAY_MS), DAY_MS, count);
  }

  /** End of the last step. */
  get to(): Date {
    return this.begin(this.count);
  }

  /** The beginnings of all steps. */
  get instants(): Date[] {
    return Array.from({ length: this.count }, (_, i) => this.begin(i));
  }

  /** True if each step is a day. */
  get areDays(): boolean {
    return this.ms === DAY_MS;
  }

  /** The same steps without the first ones. */
  after(first: number): Steps {
    return new Steps(this.begin(first), this.ms, this.count - first);
  }

  private begin(i: number): Date {
    return new Date(this.from.getTime() + i * this.ms);
  }
}
