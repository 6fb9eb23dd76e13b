import { Injectable } from '@nestjs/common';
import type { AuditFilter } from '../../platform/audit/audit-events.repository';
import { AuditLog } from '../../platform/audit/audit-log';
import type { LogWindow } from '../../platform/database/entities/log-search';
import { type AuditEntry, viewEvent } from './audit-trail.service';
import { actionOfEach, bulkSummary, isOfParts } from './bulk-changes';
import { idsIn, isWithin, rangesBegin } from './id-ranges';

/** Events in memory at a time. */
const PAGE = 500;

/** Opens entries of the audit trail that stand for many records: bulk changes, imports and their undo. */
@Injectable()
export class OpenedEvents {
  constructor(private readonly log: AuditLog) {}

  /**
   * The changes of the records of a bulk change, newest first; for one of several parts, those of the parts before it as well.
   */
  async ofBulk(bulk: AuditEntry, { before = bulk.id, limit }: LogWindow): Promise<AuditEntry[]> {
    const entries: AuditEntry[] = [];
    for await (const batch of this.batchesOf(bulk)) {
      const { events } = bulkSummary(batch) ?? {};
      if (events && rangesBegin(events) < before) {
        entries.push(...(await this.ofBatch(batch, { before, limit: limit - entries.length })));
      }
      if (entries.length === limit) break;
    }
    return entries;
  }

  /** The ids of the records that an import added, as far as the batch of an event: so many, the newest first. */
  async importedIds(batch: AuditEntry, { skip, limit }: { skip: number; limit: number }): Promise<bigint[]> {
    const ids: bigint[] = [];
    let left = skip;
    for await (const { after } of this.batchesOf(batch)) {
      const { ids: ranges, imported } = after ?? {};
      const count = Number(imported);
      if (left < count && typeof ranges === 'string') {
        const newestFirst = idsIn(ranges).toReversed();
        ids.push(...newestFirst.slice(left, left + limit - ids.length));
      }
      left = Math.max(0, left - count);
      if (ids.length === limit) break;
    }
    return ids;
  }

  /** Yields an event and, if it is about a part of a change, those about the parts before it, newest first. */
  private async *batchesOf(event: AuditEntry): AsyncGenerator<AuditEntry> {
    if (!isOfParts(event)) {
      yield event;
      return;
    }
    const { subjectType, subjectId, action } = event;
    for (let before: bigint | undefined = event.id + 1n; before !== undefined;) {
      const page: AuditEntry[] = await this.list({ subjectType, subjectId, action }, { before, limit: PAGE });
      yield* page;
      before = page.length < PAGE ? undefined : page.at(-1)?.id;
    }
  }

  private async ofBatch(bulk: AuditEntry, { before = bulk.id, limit }: LogWindow): Promise<AuditEntry[]> {
    const { events = '' } = bulkSummary(bulk) ?? {};
    const filter = { subjectType: bulk.subjectType, action: actionOfEach(bulk) };
    const entries: AuditEntry[] = [];
    let from = before;
    while (entries.length < limit) {
      const page = await this.list(filter, { before: from, limit });
      // Events of other transactions may lie between them.
      entries.push(...page.filter(({ id }) => isWithin(events, id)));
      const last = page.at(-1)?.id;
      if (last === undefined || last <= rangesBegin(events)) break;
      from = last;
    }
    return entries.slice(0, limit);
  }

  private async list(filter: AuditFilter, window: LogWindow): Promise<AuditEntry[]> {
    return (await this.log.list(filter, window)).map(viewEvent);
  }
}
