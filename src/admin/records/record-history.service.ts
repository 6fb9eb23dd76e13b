import { Injectable } from '@nestjs/common';
import type { AuditEvent } from '../../platform/audit/audit-event.entity';
import { AuditLog } from '../../platform/audit/audit-log';
import type { AdminRecords } from '../../platform/features/admin-records';
import { isWithin } from './id-ranges';
import { RecordsRepository } from './records.repository';

/** Longer than a batch of an import takes from its first record to its audit event, in milliseconds. */
const LONGEST_BATCH_MS = 60_000;
/** More imports than go on at once: each has recorded one batch before it begins the next. */
const MOST_IMPORTS = 100;

/** What was done to a record. */
@Injectable()
export class RecordHistory {
  constructor(
    private readonly records: RecordsRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Newest first; the import that added the record is the oldest. */
  async list(kind: AdminRecords, id: bigint, limit: number, before?: bigint): Promise<AuditEvent[]> {
    const subject = { subjectType: kind.name, subjectId: String(id) };
    const events = await this.audit.list(subject, { limit, before });
    if (events.length === limit) return events;
    const origin = await this.importOf(kind, id);
    const isOlder = origin && (before === undefined || origin.id < before);
    return isOlder ? [...events, origin] : events;
  }

  /** The event of the batch in which a record was imported: it is recorded in the transaction that adds the record. */
  private async importOf(kind: AdminRecords, id: bigint): Promise<AuditEvent | undefined> {
    const begin = (await this.records.find(kind, id))?.createdAt;
    if (!begin) return undefined;
    const end = new Date(begin.getTime() + LONGEST_BATCH_MS);
    const events = await this.audit.first(`${kind.name}.import`, begin, end, MOST_IMPORTS);
    return events.find(({ after }) => {
      const { ids } = JSON.parse(after ?? '{}') as { ids?: string };
      return ids !== undefined && isWithin(ids, id);
    });
  }
}
