import { Injectable } from '@nestjs/common';
import { AuditEventsRepository } from './audit-events.repository';
import { AuditLog } from './audit-log';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { Database } from '../database/database';
import { DatabaseClock } from '../database/database-clock';
import { Retention } from '../jobs/retention';
import { Scheduled } from '../jobs/scheduled.decorator';
import { DAY_MS } from '../values/calendar';

/** Removes audit events at the end of their retention period. First it records so: the database refuses to delete any others. */
@Injectable()
export class AuditRetentionJob {
  constructor(
    private readonly events: AuditEventsRepository,
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
    const before = new Date(now.getTime() - auditRetentionDays * DAY_MS);
    const lastEventId = await this.events.newestBefore(before);
    if (lastEventId === undefined) return;
    await this.database.transaction(() =>
      this.log.record({
        action: 'audit.remove',
        subject: { type: 'audit', id: 'events' },
        after: { before, lastEventId },
      }),
    );
    await this.retention.run(() => [() => this.events.deleteBatchUpTo(lastEventId)]);
  }
}
