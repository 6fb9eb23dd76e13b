import { Injectable } from '@nestjs/common';
import { Gauge } from '@prometheus-io/client';
import pTimeout from 'p-timeout';
import { HealthCheck, type HealthResult } from '../../../platform/health/health-check';
import { Metrics } from '../../../platform/telemetry/metrics';
import { Database } from '../../../platform/database/database';
import { awaySentence, type CitusWorker, readWorkers } from './workers';

/**
 * Time limit of the check, in milliseconds: below the time a scrape waits for the readiness, which does not depend on the
 * workers.
 */
const LIMIT_MS = 400;

/** Checks that the workers of Citus answer. Without one of them the service is still ready, for the rows of the others. */
@Injectable()
export class CitusHealth extends HealthCheck {
  readonly name = 'workers';
  readonly isRequired = true;

  /**
   * Registered once there are workers. Each scrape asks for the readiness, which updates this: it is at most one scrape old,
   * and asks nothing itself.
   */
  private readonly up = new Gauge({
    name: 'petstore_citus_worker_up',
    help: 'Whether a Citus worker answers (1) or not (0); no value while that is unknown.',
    labelNames: ['worker'],
    registers: [],
  });

  private hasWorkers = false;

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {
    super();
  }

  check(): Promise<HealthResult | undefined> | undefined {
    if (this.database.engine === 'sqlite') return undefined;
    return pTimeout(this.readHealth(), { milliseconds: LIMIT_MS, fallback: () => this.notInTime() });
  }

  private async readHealth(): Promise<HealthResult | undefined> {
    try {
      const workers = await readWorkers(this.database.dataSource);
      if (!workers) return undefined;
      this.updateMetrics(workers);
      const reason = awaySentence(workers);
      return reason === undefined ? { status: 'ok' } : { status: 'degraded', reason };
    } catch {
      this.up.reset();
      return this.notInTime();
    }
  }

  /**
   * Result if the workers did not answer in time. If the coordinator itself does not answer, the check of the database fails. A
   * database without Citus reports nothing.
   */
  private notInTime(): HealthResult | undefined {
    if (!this.hasWorkers) return undefined;
    return { status: 'degraded', reason: 'Not all workers answered in time.' };
  }

  private updateMetrics(workers: readonly CitusWorker[]): void {
    this.hasWorkers = true;
    this.metrics.registry.registerMetric(this.up);
    // Forgets workers that were removed from the cluster.
    this.up.reset();
    for (const { name, isAway } of workers) this.up.set({ worker: name }, isAway ? 0 : 1);
  }
}
