import { Injectable } from '@nestjs/common';
import type { AuditEvent } from '../../../platform/audit/audit-event.entity';
import { AuditLog } from '../../../platform/audit/audit-log';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import type { AdminRecords } from '../../../platform/features/admin-records';
import type { ClientChange } from '../../../platform/request-log/client-change.entity';
import { ClientChangesRepository } from '../../../platform/request-log/client-changes.repository';
import { instantOf } from '../../../platform/request-log/logged-request-id';
import { AuditTrailService } from '../../audit/audit-trail.service';
import { idsIn } from '../../audit/id-ranges';
import { importSubject } from '../record-change';
import { RecordsRepository } from '../records.repository';
import { ImportLedger } from '../transfer/import-ledger.repository';

/** An action on a record: an event of an operator, or a request of a client. */
export type HistoryEntry =
  | {
      readonly at: Date;
      readonly event: AuditEvent;
      readonly change?: undefined;
      /** Names the import or the change that was undone, if this is a part of the undo. */
      readonly undone?: string | undefined;
    }
  | {
      readonly at: Date;
      readonly change: ClientChange;
      readonly event?: undefined;
      readonly undone?: undefined;
    };

/** A position in a history: the entries after it have smaller ids. */
export interface HistoryPosition {
  /** Upper bound of the ids of events, exclusive. */
  readonly event: bigint;
  /** Upper bound of the ids of clients' changes, exclusive. */
  readonly change: bigint;
}

/** A page of a history, newest first. */
export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  /** Position at which the next page begins; undefined at the end. */
  readonly next: HistoryPosition | undefined;
  /**
   * The gap in what is known of clients' actions: everything, or all before an instant; undefined if nothing is missing here.
   */
  readonly unknown: 'everything' | Date | undefined;
}

/** Reads the history of a record. */
@Injectable()
export class RecordHistory {
  constructor(
    private readonly records: RecordsRepository,
    private readonly audit: AuditLog,
    private readonly trail: AuditTrailService,
    private readonly imports: ImportLedger,
    private readonly changes: ClientChangesRepository,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Lists entries, newest first; the import that added the record is the oldest event. */
  async list(
    recordType: AdminRecords,
    id: bigint,
    limit: number,
    from?: HistoryPosition,
  ): Promise<HistoryPage> {
    const events = await this.events(recordType, id, limit + 1, from?.event);
    const window = { before: from?.change, limit: limit + 1 };
    const changes = await this.changes.list({ kind: recordType.name, recordId: id }, window);
    const undone = await this.trail.undoneBy(events);
    const entries: HistoryEntry[] = [];
    let [event, change] = [events.shift(), changes.shift()];
    while (entries.length < limit && (event || change)) {
      const at = change && instantOf(change.id);
      if (event && !(at && at > event.at)) {
        entries.push({ at: event.at, event, undone: undone.get(event.id) });
        event = events.shift();
      } else if (change && at) {
        entries.push({ at, change });
        change = changes.shift();
      }
    }
    const next =
      event || change ? { event: (event?.id ?? -1n) + 1n, change: (change?.id ?? -1n) + 1n } : undefined;
    return { entries, next, unknown: await this.unknown(recordType, id, entries, next) };
  }

  private async unknown(
    recordType: AdminRecords,
    id: bigint,
    entries: readonly HistoryEntry[],
    next: HistoryPosition | undefined,
  ): Promise<HistoryPage['unknown']> {
    if (this.settings.recordHistoryDays === 0) return 'everything';
    if (next) return undefined;
    const oldest = await this.changes.oldest();
    const since = oldest === undefined ? new Date() : instantOf(oldest);
    const first = entries.at(-1);
    const begin =
      first && isBeginning(first) ? first.at : (await this.records.find(recordType, id))?.createdAt;
    return begin && begin >= since ? undefined : since;
  }

  private async events(
    recordType: AdminRecords,
    id: bigint,
    limit: number,
    before: bigint | undefined,
  ): Promise<AuditEvent[]> {
    const subject = { subjectType: recordType.name, subjectId: String(id) };
    const events = await this.audit.list(subject, { limit, before });
    if (events.length === limit) return events;
    const origin = await this.importOf(recordType, id);
    const isOlder = origin && (before === undefined || origin.id < before);
    return isOlder ? [...events, origin] : events;
  }

  /**
   * The event of the batch in which a record was imported: it is recorded in the transaction that adds the record. So it is the first
   * from that time on of an import that was under way.
   */
  private async importOf(recordType: AdminRecords, id: bigint): Promise<AuditEvent | undefined> {
    const begin = (await this.records.find(recordType, id))?.createdAt;
    if (!begin) return undefined;
    const { name: type } = recordType;
    for (const run of await this.imports.underWay(recordType, begin)) {
      const batch = await this.audit.first({ type, id: importSubject(run.id) }, `${type}.import`, begin);
      const { ids = '' } = JSON.parse(batch?.after ?? '{}') as { ids?: string };
      if (idsIn(ids).includes(id)) return batch;
    }
    return undefined;
  }
}

function isBeginning({ event, change }: Pick<HistoryEntry, 'event' | 'change'>): boolean {
  return change ? change.verb === 'create' : /\.(create|import)$/.test(event?.action ?? '');
}
