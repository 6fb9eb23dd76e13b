import { Injectable } from '@nestjs/common';
import { Gauge } from '@prometheus-io/client';
import { Scheduled } from '../../../platform/jobs/scheduled.decorator';
import { InjectLogger, type Logger } from '../../../platform/logging/logging.module';
import { Metrics } from '../../../platform/telemetry/metrics';
import { AuditVerifier } from './audit-verifier.service';

/** Lifetime of a verdict, in milliseconds: until the next night, when another process may verify. */
const LIFETIME_MS = 25 * 3_600_000;

interface Verdict {
  readonly isBroken: boolean;
  readonly at: number;
}

/**
 * Verifies the chain of audit events each night, in one process. To compare it with anchors, run {@link AuditVerifier} on
 * another machine.
 */
@Injectable()
export class AuditWatch {
  private last: Verdict | undefined;

  constructor(
    { registry }: Metrics,
    private readonly verifier: AuditVerifier,
    @InjectLogger() private readonly logger: Logger,
  ) {
    const verdict = () => this.verdict;
    const gauge = new Gauge({
      name: 'petstore_audit_chain_broken',
      help: 'Whether the audit log was found changed (1) or intact (0) last night; no value in processes that did not verify it.',
      aggregator: 'max',
      registers: [],
      collect() {
        const found = verdict();
        if (found) this.set(found.isBroken ? 1 : 0);
        else this.remove();
      },
    });
    registry.registerMetric(gauge);
  }

  @Scheduled('23 3 * * *', { title: 'Verify the audit log' })
  async verify(): Promise<void> {
    const { fault } = await this.verifier.verify();
    this.last = { isBroken: fault !== null, at: performance.now() };
    if (fault) this.logger.error({ auditFault: fault.kind }, `The audit log is broken. ${fault.message}`);
  }

  private get verdict(): Verdict | undefined {
    return this.last && performance.now() - this.last.at < LIFETIME_MS ? this.last : undefined;
  }
}
