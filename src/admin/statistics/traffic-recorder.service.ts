import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pTimeout from 'p-timeout';
import { WriteBuffer } from '../../platform/database/entities/write-buffer';
import { SchemaReadiness } from '../../platform/database/schema/schema-state';
import { InjectLogger, type Logger } from '../../platform/logging/logging.module';
import { MINUTE_MS } from '../../platform/values/calendar';
import { packageVersion } from '../../platform/config/package-version';
import { Metrics } from '../../platform/telemetry/metrics';
import type { ServingProcess } from './serving-process.entity';
import { addCounts, countsBetween } from './traffic-counts';
import type { TrafficMinute } from './traffic-minute.entity';
import { TrafficRepository } from './traffic.repository';

/** Time limit for the last write at shutdown, in milliseconds. */
const STOP_LIMIT_MS = 1_000;

/** Retention of traffic and of the processes that served it, in milliseconds. */
export const KEPT_MS = 48 * 60 * MINUTE_MS;

/** Minutes that a process remembers: all that are shown, so a long outage of the database loses none of them. */
const MAX_MINUTES = KEPT_MS / MINUTE_MS;

/** Facts about a process that do not change. */
type Identity = Readonly<Omit<ServingProcess, 'seenAt' | 'leftAt'>>;

/**
 * Records once a minute that this process is there, and the requests it served on its public port since. They are differences
 * of what telemetry counts anyway, so requests do no extra work.
 *
 * Each write of a minute has all requests that this process served in it so far. So a repeated write, after one whose outcome
 * is unknown, counts nothing twice.
 */
@Injectable()
export class TrafficRecorder implements OnApplicationShutdown {
  private process: Identity | undefined;
  private leftAt: Date | null = null;
  private timer: NodeJS.Timeout | undefined;
  private counted = this.metrics.requests.totals();
  /** The minute to which requests are counted, decided when it began: timers are early or late by the wall clock. */
  private minute = minuteOf(Date.now());
  /** Requests that this process served, by minute, oldest first. */
  private readonly minutes = new Map<number, TrafficMinute>();
  private readonly unwritten: WriteBuffer<TrafficMinute>;
  /** This process, as it was last seen. */
  private readonly seen: WriteBuffer<ServingProcess>;

  constructor(
    private readonly metrics: Metrics,
    traffic: TrafficRepository,
    schema: SchemaReadiness,
    @InjectLogger() logger: Logger,
  ) {
    // Each row by itself: a transaction would hold SQLite's write lock from one to the next, without need.
    this.unwritten = new WriteBuffer(schema, logger, {
      limit: MAX_MINUTES,
      batch: 60,
      keyOf: ({ minute }) => minute,
      async write(rows) {
        for (const row of rows) await traffic.writeMinute(row);
      },
      warning: 'The traffic of this process could not be recorded; it is retried each minute.',
    });
    this.seen = new WriteBuffer(schema, logger, {
      // One row waits while another is written.
      limit: 2,
      batch: 1,
      keyOf: ({ id }) => id,
      async write(rows) {
        for (const row of rows) await traffic.writeProcess(row);
      },
      warning: 'This process could not be recorded as serving; it is retried each minute.',
    });
  }

  /** Begins recording, once the process listens; processes that never listen leave no trace. Does not wait for the database. */
  begin(): void {
    const now = Date.now();
    this.process = thisProcess(now);
    this.minute = minuteOf(now);
    void this.write(now);
    this.arm();
  }

  /** Records the requests since the last record and that the process ends; waits a second at most. */
  async onApplicationShutdown(): Promise<void> {
    if (!this.process) return;
    clearTimeout(this.timer);
    const now = Date.now();
    this.leftAt = new Date(now);
    await pTimeout(this.record(now), { milliseconds: STOP_LIMIT_MS, message: false });
  }

  /**
   * Counts the requests since the last call to the minute that began then, and writes them with those that could not be written
   * before. Never throws.
   *
   * @param now Unix milliseconds
   */
  async record(now: number): Promise<void> {
    this.take();
    this.minute = minuteOf(now);
    await this.write(now);
  }

  private arm(): void {
    const untilNext = MINUTE_MS - (Date.now() % MINUTE_MS);
    this.timer = setTimeout(() => {
      const now = Date.now();
      // If the timer fires a moment early, it waits for the rest of the minute.
      if (minuteOf(now) !== this.minute) void this.record(now);
      this.arm();
    }, untilNext).unref();
  }

  private take(): void {
    const totals = this.metrics.requests.totals();
    const { counted, minute } = this;
    this.counted = totals;
    if (!this.process || totals.requests === counted.requests) return;
    const since = countsBetween(counted, totals);
    const known = this.minutes.get(minute);
    this.remember({ minute, processId: this.process.id, ...(known ? addCounts(known, since) : since) });
  }

  private remember(row: TrafficMinute): void {
    this.forget(row.minute);
    this.minutes.set(row.minute, row);
    this.unwritten.add(row);
    const [oldest] = this.minutes.keys();
    if (oldest !== undefined && this.minutes.size > MAX_MINUTES) this.forget(oldest);
  }

  private forget(minute: number): void {
    this.minutes.delete(minute);
    this.unwritten.remove(minute);
  }

  private async write(now: number): Promise<void> {
    if (!this.process) return;
    this.seen.add({ ...this.process, seenAt: new Date(now), leftAt: this.leftAt });
    await this.unwritten.flush();
    await this.seen.flush();
  }
}

/** The minute of an instant, counted from 1970 in UTC. */
export function minuteOf(instant: number): number {
  return Math.floor(instant / MINUTE_MS);
}

function thisProcess(now: number): Identity {
  return {
    id: randomUUID(),
    host: hostname(),
    pid: process.pid,
    version: packageVersion(),
    nodeVersion: process.version,
    startedAt: new Date(now),
  };
}
