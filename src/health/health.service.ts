import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Gauge } from '@prometheus-io/client';
import pTimeout from 'p-timeout';
import { AppError } from '../platform/errors/app-error';
import { HealthCheck, type HealthDetails, type HealthResult } from '../platform/health/health-check';
import { ServiceState, type ServiceStage } from '../platform/http/service-state';
import { InjectLogger, type Logger } from '../platform/logging/logging.module';
import { Metrics } from '../platform/telemetry/metrics';

/** How long a check may take before it counts as failed, in milliseconds. */
const CHECK_TIMEOUT_MS = 1_000;

/** The process is late when it comes so much later to the end of that, in milliseconds. */
const LATE_MS = 200;

/** How long a scrape waits for all checks. The primary waits a second when it gathers the metrics of its workers. */
const SCRAPE_TIMEOUT_MS = 500;

/** How one check went, as it is told. */
export type CheckReport = Pick<HealthResult, 'status' | 'reason'> & HealthDetails;

/** How the process is doing. */
export interface HealthReport {
  /**
   * `ok`; `degraded`, when it serves without something; `saturated`, when it serves late; `unavailable`, when it is not ready. What is
   * saturated stays ready: taken out, it would leave its requests to nodes that are as busy, until none is left.
   */
  readonly status: 'ok' | 'degraded' | 'saturated' | 'unavailable';
  readonly lifecycle: ServiceStage;
  readonly checks: Readonly<Record<string, CheckReport>>;
}

/** Asks every health check there is; none takes longer than a second. */
@Injectable()
export class HealthService implements OnModuleInit {
  private checks: readonly HealthCheck[] = [];
  /** Those that run, so that however many ask, each check is asked once. */
  private readonly running = new Map<HealthCheck, Promise<CheckReport | undefined>>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly service: ServiceState,
    private readonly metrics: Metrics,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const providers = this.discovery.getProviders().map(({ instance }: { instance?: unknown }) => instance);
    this.checks = [...new Set(providers)].filter((provider) => provider instanceof HealthCheck);
    const isReady = () =>
      pTimeout(this.isReady(), { milliseconds: SCRAPE_TIMEOUT_MS, fallback: () => false });
    const gauge = new Gauge({
      name: 'petstore_ready',
      help: 'Whether the process is ready (1) or not, or does not know it within half a second (0).',
      aggregator: 'min',
      registers: [],
      async collect() {
        this.set((await isReady()) ? 1 : 0);
      },
    });
    this.metrics.registry.registerMetric(gauge);
  }

  /** Whether the process is not on its way out and all works that it cannot serve without. Never throws. */
  async isReady(): Promise<boolean> {
    return (await this.readiness()).status !== 'unavailable';
  }

  /** What {@link isReady} says, with the reasons. */
  readiness(): Promise<HealthReport> {
    return this.askAll(this.checks.filter(({ isRequired }) => isRequired));
  }

  /** Everything there is to tell. */
  report(): Promise<HealthReport> {
    return this.askAll(this.checks);
  }

  private async askAll(checks: readonly HealthCheck[]): Promise<HealthReport> {
    const outcomes = await Promise.all(
      checks.map(async (check) => ({ check, report: await this.ask(check) })),
    );
    const lifecycle = this.service.state;
    const lacksWhatItNeeds = outcomes.some(
      ({ check, report }) => check.isRequired && report?.status === 'failed',
    );
    const isReady = lifecycle === 'serving' && !lacksWhatItNeeds;
    const found = new Set(outcomes.map(({ report }) => report?.status ?? 'ok'));
    const status = found.has('saturated')
      ? 'saturated'
      : found.size > 1 || !found.has('ok')
        ? 'degraded'
        : 'ok';
    return {
      status: isReady ? status : 'unavailable',
      lifecycle,
      checks: Object.fromEntries(
        outcomes.flatMap(({ check, report }) => (report ? [[check.name, report]] : [])),
      ),
    };
  }

  private ask(check: HealthCheck): Promise<CheckReport | undefined> {
    const running = this.running.get(check);
    if (running) return running;
    // What hangs is given up here, and asked again by the next: a new connection may answer where an old one does not.
    const asked = this.inTime(check).finally(() => this.running.delete(check));
    this.running.set(check, asked);
    return asked;
  }

  private async inTime(check: HealthCheck): Promise<CheckReport | undefined> {
    // As it is without the check itself, which uses what it looks at.
    const { facts } = check;
    const reason = `It did not answer within ${CHECK_TIMEOUT_MS / 1_000} s.`;
    const began = performance.now();
    const outcome = Promise.try(() => check.check()).catch((error: unknown) => this.failure(error));
    // The answer may well be there, and the process has not come to it.
    const isLate = () => performance.now() - began >= CHECK_TIMEOUT_MS + LATE_MS;
    const late = (): HealthResult => ({ status: isLate() ? 'saturated' : 'failed', reason });
    const result = await pTimeout(outcome, { milliseconds: CHECK_TIMEOUT_MS, fallback: late });
    if (!result) return undefined;
    const { details, ...verdict } = result;
    return { ...verdict, ...facts, ...details };
  }

  /** The sentence of an error that is safe to show to every client. The rest of the error goes to the log alone. */
  private failure(error: unknown): HealthResult {
    if (error instanceof AppError) return { status: 'failed', reason: error.message };
    this.logger.error({ err: error }, 'A health check met an unexpected fault.');
    return { status: 'failed', reason: 'It met an unexpected fault, which the log has.' };
  }
}
