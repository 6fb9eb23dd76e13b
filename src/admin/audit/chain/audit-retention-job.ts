import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../platform/audit/audit-log';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { Database } from '../../../platform/database/database';
import { DatabaseClock } from '../../../platform/database/database-clock';
import { Retention } from '../../../platform/jobs/retention';
import { Scheduled } from '../../../platform/jobs/scheduled.decorator';
import { DAY_MS } from '../../../platform/values/calendar';
import { type Removal, REMOVAL } from '../removal';
import { AuditChainRepository } from './audit-chain.repository';
import { AuditSealer } from './audit-sealer.service';
import { removedLink } from './removed-link';

/**
 * Removes audit events at the end of their retention period. First it records an event with the last hash that is to be
 * removed, so that the chain begins there; then it seals that event; then it removes the others.
 */
@Injectable()
export class AuditRetentionJob {
  constructor(
    private readonly chain: AuditChainRepository,
    private readonly sealer: AuditSealer,
    private readonly log: AuditLog,
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly retention: Retention,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Scheduled('30 3 * * *', { title: 'Remove old audit events' })
  async run(): Promise<void> {
    const { auditRetentionDays } = this.settings;
    if (auditRetentionDays === 0) return;
    const now = await this.clock.now();
    await this.announce(new Date(now.getTime() - auditRetentionDays * DAY_MS));
    await this.sealer.seal();
    await this.deleteAnnounced();
  }

  private async announce(before: Date): Promise<void> {
    const newest = await this.chain.newestBefore(before);
    const seal = newest === undefined ? undefined : await this.chain.sealUpTo(newest);
    if (!seal) return;
    const after: Removal = {
      before,
      lastSequence: seal.sequence,
      lastEventId: seal.eventId,
      lastHash: seal.hash,
    };
    await this.database.transaction(() => this.log.record({ ...REMOVAL, after }));
  }

  private async deleteAnnounced(): Promise<void> {
    const { eventId } = await this.chain.head();
    const link = removedLink((await this.chain.removalUpTo(eventId))?.after ?? null);
    if (link) await this.retention.run(() => [() => this.chain.deleteBatchUpTo(link)]);
  }
}
