import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { POOL_BUSY } from '../platform/database/monitoring/database-health';
import { HealthCheck, type HealthResult } from '../platform/health/health-check';
import { addGauge } from '../platform/telemetry/add-gauge';
import { Metrics } from '../platform/telemetry/metrics';

/** Milliseconds between two samples of the load. */
const INTERVAL_MS = 500;

/** Samples that are remembered, and the number of late ones that is too many: a single long turn is no lack of time. */
const SAMPLES = 10;
const SAMPLES_LATE = 3;

/** Milliseconds from which a turn of the event loop is too late: the bound of the alert. */
const LATE_MS = 500;

/** Consecutive samples with waiting requests after which the pool counts as too small. */
const SAMPLES_WAITING = 4;

interface Sample {
  /** Delay of the event loop, in milliseconds. */
  readonly lagMs: number;
  /** Requests that waited for a connection of the pool. */
  readonly waiting: number;
}

/**
 * Reports `saturated` if the process has more to do than it can do in time. It goes on serving: taken out, it would leave its
 * work to the others.
 */
@Injectable()
export class LoadCheck extends HealthCheck implements OnModuleInit, OnApplicationShutdown {
  readonly name = 'load';
  readonly isRequired = true;
  private readonly samples: Sample[] = [];
  private sampledAt = performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {
    super();
  }

  onModuleInit(): void {
    addGauge(
      this.metrics.registry,
      'petstore_saturated',
      'Whether the process is ready but overloaded (1) or not (0).',
      () => Number(this.check() !== undefined),
    );
    this.sampledAt = performance.now();
    this.timer = setInterval(() => this.sample(), INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Returns undefined while all is in time. */
  check(): HealthResult | undefined {
    const late = this.samples.filter(({ lagMs }) => lagMs >= LATE_MS);
    const last = this.samples.slice(-SAMPLES_WAITING);
    const isWaiting = last.length === SAMPLES_WAITING && last.every(({ waiting }) => waiting > 0);
    if (late.length >= SAMPLES_LATE) {
      const lagMs = Math.round(Math.max(...late.map((sample) => sample.lagMs)));
      return { status: 'saturated', reason: 'The event loop is repeatedly late.', details: { lagMs } };
    }
    if (!isWaiting) return undefined;
    const details = { waiting: last.at(-1)?.waiting };
    return { status: 'saturated', reason: POOL_BUSY, details };
  }

  private sample(): void {
    const now = performance.now();
    const lagMs = now - this.sampledAt - INTERVAL_MS;
    this.samples.push({ lagMs, waiting: this.database.pool.waiting ?? 0 });
    if (this.samples.length > SAMPLES) this.samples.shift();
    this.sampledAt = now;
  }
}
