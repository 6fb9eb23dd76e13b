import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import pTimeout from 'p-timeout';
import { AppError } from '../platform/errors/app-error';
import { HealthCheck, type HealthDetails, type HealthResult } from '../platform/health/health-check';
import { ServiceState, type ServiceStage } from '../platform/http/service-state';
import { InjectLogger, type Logger } from '../platform/logging/logging.module';
import { addGauge } from '../platform/telemetry/add-gauge';
import { Metrics } from '../platform/telemetry/metrics';

/** Milliseconds beyond the limit of a check after which the process itself counts as late. */
const LATE_MS = 200;

/** Milliseconds for which a scrape waits for all checks: no check that hangs delays the other metrics for longer. */
const SCRAPE_TIMEOUT_MS = 500;

/** Result of one check, as it is reported. */
export type CheckReport = Pick<HealthResult, 'status' | 'reason'> & HealthDetails;

/** State of the process. */
export interface HealthReport {
  /**
   * `ok`; `degraded`, if it serves without something; `saturated`, if it serves late; `unavailable`, if it is not ready. A
   * saturated process stays ready: taken out, it would leave its requests to nodes that are as busy, until all are out.
   */
  readonly status: 'ok' | 'degraded' | 'saturated' | 'unavailable';
  readonly lifecycle: ServiceStage;
  readonly checks: Readonly<Record<string, CheckReport>>;
}

/** Runs every health check; each takes at most a second. */
@Injectable()
export class HealthService implements OnModuleInit {
  private checks: readonly HealthCheck[] = [];
  /** Checks under way, so that each runs once however many ask. */
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
    addGauge(
      this.metrics.registry,
      'petstore_ready',
      'Whether the process is ready (1), or not ready or unknown after half a second (0).',
      async () =>
        Number(await pTimeout(this.isReady(), { milliseconds: SCRAPE_TIMEOUT_MS, fallback: () => false })),
    );
  }

  /** True if the process is not stopping and everything it cannot serve without works. Never throws. */
  async isReady(): Promise<boolean> {
    return (await this.readiness()).status !== 'unavailable';
  }

  /** The state behind {@link isReady}, with the reasons. */
  readiness(): Promise<HealthReport> {
    return this.askAll(this.checks.filter(({ isRequired }) => isRequired));
  }

  /** Reports all checks. */
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
    const statuses = outcomes.map(({ report }) => report?.status ?? 'ok');
    const found = new Set(statuses.filter((status) => status !== 'skipped'));
    const status = found.has('saturated')
      ? 'saturated'
      : found.has('degraded') || found.has('failed')
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
    // A check that hangs is given up here, and the next request asks again: a new connection may answer where an old one does
    // not.
    const asked = this.inTime(check).finally(() => this.running.delete(check));
    this.running.set(check, asked);
    return asked;
  }

  private async inTime(check: HealthCheck): Promise<CheckReport | undefined> {
    // The facts of the check without the check itself, for it depends on what it checks.
    const { facts, limitMs } = check;
    const silence = `It did not answer within ${limitMs / 1_000} s.`;
    const began = performance.now();
    const outcome = Promise.try(() => check.check()).catch((error: unknown) => this.failure(error));
    // The answer may have arrived, without the process having come to it.
    const isLate = () => performance.now() - began >= limitMs + LATE_MS;
    const late = (): HealthResult => ({ status: isLate() ? 'saturated' : 'failed', reason: silence });
    const result = await pTimeout(outcome, { milliseconds: limitMs, fallback: late });
    if (!result) return undefined;
    const { status, reason, details } = result;
    return { status, ...(reason !== undefined && { reason }), ...facts, ...details };
  }

  /** The sentence of an error that is safe to show to every client. The rest of the error goes to the log alone. */
  private failure(error: unknown): HealthResult {
    if (error instanceof AppError) return { status: 'failed', reason: error.message };
    this.logger.error({ err: error }, 'A health check failed unexpectedly.');
    return { status: 'failed', reason: 'It failed unexpectedly; see the log.' };
  }
}
