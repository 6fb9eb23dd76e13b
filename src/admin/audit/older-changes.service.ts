import { Injectable } from '@nestjs/common';
import { AuditEventsRepository, type AuditFilter } from '../../platform/audit/audit-events.repository';
import { Scheduled } from '../../platform/jobs/scheduled.decorator';
import { type AuditEntry, AuditTrailService } from './audit-trail.service';
import { isOfParts } from './bulk-changes';
import { idsIn } from './id-ranges';

/**
 * Joins the events that a node of 1.2.0 has recorded about a bulk change or an import to the first of them. Such an event names those
 * about its records as text, and belongs to no whole.
 */
@Injectable()
export class OlderChanges {
  constructor(
    private readonly trail: AuditTrailService,
    private readonly events: AuditEventsRepository,
  ) {}

  @Scheduled('*/10 * * * *', { title: 'Join events of 1.2.0 to their changes' })
  async run(): Promise<void> {
    // As in bulk:345 and import:7; the search looks through the log once for both.
    await this.join({ subjectId: { contains: ':' } });
  }

  /** Joins those that a filter finds. */
  async join(filter: AuditFilter): Promise<void> {
    for await (const page of this.trail.pages({ ...filter, whole: { isSet: false } })) {
      const joined = await this.events.newestParts(page.map(({ id }) => id));
      const wholes = new Set(joined.map(({ whole }) => whole));
      for (const event of page) if (isOfParts(event) && !wholes.has(event.id)) await this.joinPart(event);
    }
  }

  private async joinPart({ id, subjectType, subjectId, action, after }: AuditEntry): Promise<void> {
    const { events } = after ?? {};
    const head = await this.events.first({ type: subjectType, id: subjectId }, action);
    if (!head) return;
    const parts = [...idsIn(typeof events === 'string' ? events : ''), ...(id === head.id ? [] : [id])];
    // All at once, since what has a part is not looked at again: 1.2.0 has recorded at most 500 records together.
    if (parts.length > 0) await this.events.join(parts, head.id);
  }
}
