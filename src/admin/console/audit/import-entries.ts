import { Injectable } from '@nestjs/common';
import { type AdminRecords, changeScope } from '../../../platform/features/admin-records';
import { type AuditEntry, AuditTrailService } from '../../audit/audit-trail.service';
import { importOf } from '../../audit/bulk-changes';
import { idsIn } from '../../audit/id-ranges';
import type { LeftAlone } from '../../records/record-change';
import { RecordsService } from '../../records/records.service';
import type { ImportRun } from '../../records/transfer/import-run.entity';
import { ImportLedger } from '../../records/transfer/import-ledger.repository';
import { ImportUndo } from '../../records/transfer/import-undo.service';
import type { ConsoleRequest } from '../http/console-request';
import { valueView } from '../records/fields/value-html';
import { readListQuery } from '../records/list/list-query';
import { type ListColumn, type ListRow, listColumns, listRows } from '../records/list/list-table';
import { importRefusalsPath, importUndoPath, recordPath } from '../records/record-paths';
import { countText } from '../ui/count-text';

/** Number of records on one page. */
const PAGE_SIZE = 50;

/** Parameter with the number of records on the pages before. */
const SKIP = 'skip';

/** Words for the reasons why an undo left a record alone. */
const REASONS: Readonly<Record<LeftAlone['because'], string>> = {
  changed: 'changed since',
  removed: 'removed since',
  refused: 'cannot be removed',
};

/** An import, as the page of an event about it shows it. */
export interface ShownImport {
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** Progress of its undo, if it was begun. */
  readonly undo:
    { readonly text: string; readonly tone: 'warning' | 'success'; readonly code: string } | undefined;
  readonly undoPath: string | undefined;
  /** The page that asks first, because what is removed is not kept. */
  readonly askPath: string | undefined;
  /** Address of the file with the refused rows, if any are kept. */
  readonly refusedPath: string | undefined;
  /** Records that the undo left alone. */
  readonly leftAlone: readonly { readonly title: string; readonly path: string; readonly why: string }[];
  /** Number of those that are not listed. */
  readonly moreLeftAlone: number;
  /** Records that the import added, as they are now; undefined on the page of an undo. */
  readonly records: ImportedRecords | undefined;
}

/** One page of the records that an import added. */
interface ImportedRecords {
  readonly label: string;
  readonly columns: readonly Omit<ListColumn, 'sort'>[];
  readonly rows: readonly ListRow[];
  /** Ids of the records on the page that are no longer there. */
  readonly gone: string;
  readonly first: string | undefined;
  readonly next: string | undefined;
}

/** Opens the entries of the audit log that are about imports. */
@Injectable()
export class ImportEntries {
  constructor(
    private readonly records: RecordsService,
    private readonly trail: AuditTrailService,
    private readonly undoing: ImportUndo,
    private readonly ledger: ImportLedger,
  ) {}

  /** Reads the import that an event is about; undefined for any other event, and if nothing is known of the import any more. */
  async read(event: AuditEntry, request: ConsoleRequest): Promise<ShownImport | undefined> {
    const id = importOf(event);
    const recordType = this.records.recordTypeNamed(event.subjectType);
    const run = recordType && id !== undefined && (await this.ledger.find(recordType, id));
    if (!run) return undefined;
    const scope = changeScope(recordType);
    const isOffered = request.mayChange(scope) && this.undoing.isOffered(recordType, run);
    const undoPath = isOffered ? importUndoPath(recordType, run.id) : undefined;
    const isKept = this.records.actionsOf(recordType).restore;
    const leftAlone = run.leftAlone ? await this.ledger.leftAlone(run.id, PAGE_SIZE) : [];
    return {
      facts: factsOf(recordType, run),
      undo: undoInWords(recordType, run),
      undoPath: isKept ? undoPath : undefined,
      askPath: isKept ? undefined : undoPath,
      refusedPath:
        request.can(scope) && (await this.ledger.refusedSize(run.id)) > 0
          ? importRefusalsPath(recordType, run.id)
          : undefined,
      leftAlone: leftAlone.map(({ id: left, because, reason }) => ({
        title: `${recordType.one} ${left}`,
        path: recordPath(recordType, left),
        why: reason ?? REASONS[because],
      })),
      moreLeftAlone: Number(run.leftAlone ?? 0) - leftAlone.length,
      records: event.action.endsWith('.import') ? await this.added(recordType, event, request) : undefined,
    };
  }

  private async added(
    recordType: AdminRecords,
    event: AuditEntry,
    request: ConsoleRequest,
  ): Promise<ImportedRecords> {
    const skip = Number(/^\d{1,9}$/.exec(request.query.get(SKIP) ?? '')?.[0] ?? 0);
    const ids = await this.importedIds(event, { skip, limit: PAGE_SIZE + 1 });
    const shown = ids.slice(0, PAGE_SIZE);
    const facts = this.records.listFacts(recordType);
    const found =
      shown.length > 0
        ? await this.records.search(recordType, {
            filter: {
              ids: shown,
              removed: facts.keepsRemoved ? 'with' : undefined,
            },
            order: { by: 'id', descending: true },
            limit: PAGE_SIZE,
          })
        : [];
    const there = new Set(found.map(({ values }) => values.id));
    return {
      label: 'Records that were added',
      columns: listColumns(facts, readListQuery(facts, new URLSearchParams())).map(
        ({ sort: _, ...column }) => column,
      ),
      rows: listRows(facts, found, valueView(facts.recordTypes, request)),
      gone: shown.filter((each) => !there.has(each)).join(', '),
      first: skip > 0 ? request.addressWith({ [SKIP]: undefined }) : undefined,
      next: ids.length > PAGE_SIZE ? request.addressWith({ [SKIP]: String(skip + PAGE_SIZE) }) : undefined,
    };
  }

  /** The ids of the records that an import added: so many, the newest first. */
  async importedIds(
    { subjectType, subjectId, action }: AuditEntry,
    { skip, limit }: { skip: number; limit: number },
  ): Promise<bigint[]> {
    const ids: bigint[] = [];
    let left = skip;
    for await (const page of this.trail.pages({ subjectType, subjectId, action })) {
      for (const { after } of page) {
        const { ids: ranges, imported } = after ?? {};
        const count = Number(imported);
        if (left < count && typeof ranges === 'string') {
          ids.push(
            ...idsIn(ranges)
              .toReversed()
              .slice(left, left + limit - ids.length),
          );
        }
        left = Math.max(0, left - count);
        if (ids.length === limit) return ids;
      }
    }
    return ids;
  }
}

function factsOf(recordType: AdminRecords, run: ImportRun): ShownImport['facts'] {
  return [
    { label: 'File', value: run.fileName },
    { label: 'Rows', value: run.rows.toLocaleString('en') },
    { label: 'Added', value: countText(recordType, Number(run.imported), Infinity) },
    { label: 'Refused', value: run.refused.toLocaleString('en') },
    { label: 'Import', value: String(run.id) },
  ];
}

function undoInWords(recordType: AdminRecords, run: ImportRun): ShownImport['undo'] {
  const { undoActor, undoneAt, undone, leftAlone, imported } = run;
  if (!undoActor && undone === null) return undefined;
  const removed = countText(recordType, Number(undone ?? 0), Infinity);
  const left = leftAlone ? `, ${countText(recordType, Number(leftAlone), Infinity)} left alone` : '';
  if (undoneAt)
    return { tone: 'success', code: 'undone', text: `This import was undone: ${removed} removed${left}.` };
  const all = imported.toLocaleString('en');
  return undoActor
    ? {
        tone: 'warning',
        code: 'undoing',
        text: `This import is being undone: ${removed} of ${all} removed${left}. Reload this page to see how far it is.`,
      }
    : {
        tone: 'warning',
        code: 'undone_in_part',
        text: `This import is undone in part: ${removed} of ${all} removed${left}.`,
      };
}
