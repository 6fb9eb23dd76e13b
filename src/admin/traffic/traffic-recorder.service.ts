import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SchemaReadiness } from '../../platform/database/schema-state';
import { InjectLogger, type Logger } from '../../platform/logging/logging.module';
import { packageVersion } from '../../platform/package-version';
import { Metrics } from '../../platform/telemetry/metrics';
import { BOUNDS_MS, type RequestTotals } from '../../platform/telemetry/request-metrics';
import { columnWithin, LATENCY_COLUMNS } from './latency';
import type { ServingProcess } from './serving-process.entity';
import type { TrafficMinute } from './traffic-minute.entity';
import { TrafficRepository } from './traffic.repository';

export const MINUTE_MS = 60_000;

/** How long a stop waits for the last write, in milliseconds. */
const STOP_LIMIT_MS = 1_000;

/** Minutes kept in memory while the database is away. */
const MAX_PENDING = 120;

/** What a process says of itself once and for all. */
type Identity = Readonly<Omit<ServingProcess, 'seenAt' | 'leftAt'>>;

/**
 * Writes once a minute that this process is there, and what it answered on its public port since: by the differences of what
 * telemetry counts anyway, so requests know nothing of it. Nothing is answered, and only the first said, where `METRICS` is off.
 */
@Injectable()
export class TrafficRecorder implements OnApplicationShutdown {
  private process: Identity | undefined;
  private leftAt: Date | null = null;
  private timer: NodeJS.Timeout | undefined;
  private counted = this.metrics.requests.totals();
  private pending: TrafficMinute[] = [];
  private writing: Promise<void> = Promise.resolve();
  private isFailing = false;

  constructor(
    private readonly metrics: Metrics,
    private readonly traffic: TrafficRepository,
    private readonly schema: SchemaReadiness,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** To be called once the process listens; others leave no trace. Does not wait for the database. */
  begin(): void {
    this.process = thisProcess();
    void this.write(new Date());
    this.arm();
  }

  /** Writes what has been answered since it was last asked, and that the process ends; for a second at most. */
  async onApplicationShutdown(): Promise<void> {
    if (!this.process) return;
    clearTimeout(this.timer);
    const now = new Date();
    this.take(Math.floor(now.getTime() / MINUTE_MS));
    this.leftAt = now;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, STOP_LIMIT_MS);
    await Promise.race([this.write(now), late]);
    clearTimeout(timer);
  }

  /** Ends a minute: what was answered in it is to be written, with what could not be before. Never throws. */
  async record(now: Date): Promise<void> {
    this.take(Math.floor(now.getTime() / MINUTE_MS) - 1);
    await this.write(now);
  }

  private arm(): void {
    const untilNext = MINUTE_MS - (Date.now() % MINUTE_MS);
    this.timer = setTimeout(() => {
      this.arm();
      void this.record(new Date());
    }, untilNext).unref();
  }

  private take(minute: number): void {
    const totals = this.metrics.requests.totals();
    const { counted } = this;
    this.counted = totals;
    if (!this.process || totals.requests === counted.requests) return;
    this.pending.push(difference(totals, counted, minute, this.process.id));
    this.pending = this.pending.slice(-MAX_PENDING);
  }

  /** One write at a time: a database that is slow for minutes gets no queue of them. */
  private write(now: Date): Promise<void> {
    this.writing = this.writing.then(() => this.writePending(now));
    return this.writing;
  }

  private async writePending(now: Date): Promise<void> {
    const { process, pending } = this;
    if (!process) return;
    try {
      // Where the tables are still to be made, the start has said so.
      if (!(await this.schema.isCurrent())) return;
      await this.traffic.write({ ...process, seenAt: now, leftAt: this.leftAt }, pending);
      this.pending = this.pending.filter((minute) => !pending.includes(minute));
      this.isFailing = false;
    } catch (error) {
      if (this.isFailing) return;
      this.isFailing = true;
      this.logger.warn(
        { err: error },
        'The traffic of this process could not be recorded; it is tried again each minute.',
      );
    }
  }
}

function thisProcess(): Identity {
  return {
    id: randomUUID(),
    host: hostname(),
    pid: process.pid,
    worker: cluster.worker?.id ?? null,
    version: packageVersion(),
    nodeVersion: process.version,
    startedAt: new Date(),
  };
}

function difference(
  totals: RequestTotals,
  before: RequestTotals,
  minute: number,
  processId: string,
): TrafficMinute {
  const latencies = Object.fromEntries(LATENCY_COLUMNS.map((column) => [column, 0]));
  BOUNDS_MS.forEach((bound, i) => {
    const column = columnWithin(bound);
    if (column)
      latencies[column] = (latencies[column] ?? 0) + (totals.within[i] ?? 0) - (before.within[i] ?? 0);
  });
  return {
    minute,
    processId,
    requests: totals.requests - before.requests,
    succeeded: totals.succeeded - before.succeeded,
    clientErrors: totals.clientErrors - before.clientErrors,
    serverErrors: totals.serverErrors - before.serverErrors,
    ...latencies,
  } as TrafficMinute;
}
