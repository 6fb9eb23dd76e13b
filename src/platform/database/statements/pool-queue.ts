import type { Pool } from 'pg';
import { MOST_TOGETHER } from './postgres-statement';

/** Requests that may wait for each connection of a pool, however slow those before them are. */
const FEW = 4;

/** Number of connections handed out by a point in time. */
interface Mark {
  readonly at: number;
  readonly served: number;
}

/**
 * Queue for the connections of a PostgreSQL pool. It estimates waits by Little's law: the last in the queue waits for as long as
 * it takes to serve those ahead.
 */
export class PoolQueue {
  private served = 0;
  /** Beginning of the time whose served count; unset while few wait. */
  private from: Mark | undefined;
  /** Beginning of the time that counts next. */
  private next: Mark = { at: 0, served: 0 };
  /** Time at which many waited last. */
  private manyAt = -Infinity;

  /** @param longestMs time that a request should wait at most, in milliseconds */
  constructor(
    private readonly pool: Pick<Pool, 'waitingCount' | 'options' | 'on'>,
    private readonly longestMs: number,
  ) {
    pool.on('acquire', () => {
      this.served += 1;
    });
  }

  /**
   * Returns the expected wait of one more request, as a multiple of the longest that it should be: 0 while it is not known, because
   * many have waited only shortly, and undefined while few wait.
   *
   * @param now by `performance.now()`
   * @param underWay requests that wait or may come to that: those of one key may all wait for its judgement first
   */
  pressure(now: number, underWay: number): number | undefined {
    const { waitingCount, options } = this.pool;
    const { served, longestMs } = this;
    const mark = { at: now, served };
    if (waitingCount > FEW * options.max) {
      if (!this.from) this.next = mark;
      this.from ??= mark;
      this.manyAt = now;
    } else if (now - this.manyAt > longestMs) {
      // The pool may be idle from now on.
      this.from = undefined;
    }
    if (!this.from) return undefined;
    if (now - this.next.at >= longestMs) {
      this.from = this.next;
      this.next = mark;
    }
    const ms = now - this.from.at;
    if (ms < longestMs) return 0;
    const waiting = Math.max(waitingCount, underWay / MOST_TOGETHER);
    return (waiting * ms) / Math.max(served - this.from.served, 1) / longestMs;
  }
}
