import { Injectable } from '@nestjs/common';
import { AuditEventsRepository } from '../../platform/audit/audit-events.repository';
import { AuditLog, type AuditedChange } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { explainingRefusals } from '../../platform/database/entities/constraint-errors';
import { batchesOf } from '../../platform/database/statements/batches';
import { yieldToWriters } from '../../platform/database/yield-to-writers';
import { AppError } from '../../platform/errors/app-error';
import type { AdminRecords } from '../../platform/features/admin-records';
import { isFault, toAppError } from '../../platform/http/response/error.filter';
import { InjectLogger, type Logger } from '../../platform/logging/logging.module';
import type { MergePatch } from '../../platform/validation/merge-patch';
import { viewEvent } from '../audit/audit-trail.service';
import { OF_BULK } from '../audit/bulk-changes';
import { BY_ID, type RecordFilter } from './list-request';
import { ManyRecords } from './many-records.service';
import { bulkChangeOf, type BulkOutcome, changeOf, impersonal, type LeftAlone } from './record-change';
import { RecordRefusedError } from './records.errors';
import { RecordsRepository } from './records.repository';
import { RecordsService } from './records.service';
import { versionOf } from './stored-record';

/** Most records of one bulk change, for whose result a person waits. */
export const MAX_BULK = 10_000;
const MOST = MAX_BULK.toLocaleString('en');

/** Records that are changed in one transaction: some ten milliseconds of SQLite's write lock. */
export const BULK_PIECE = 100;

/** Outcome for the records of one piece. */
export interface ChangedPiece {
  readonly changes: readonly AuditedChange[];
  readonly leftAlone: readonly LeftAlone[];
}

/**
 * Changes many records piece by piece, each piece in one transaction with its audit events, so that others are served in between. The
 * events belong to the first about a piece, by which they are shown and undone as one. A process that dies leaves whole pieces. An undo
 * ends a change that is still running: nothing is changed behind it.
 */
@Injectable()
export class BulkChanges {
  constructor(
    private readonly records: RecordsService,
    private readonly many: ManyRecords,
    private readonly stored: RecordsRepository,
    private readonly audit: AuditLog,
    private readonly auditEvents: AuditEventsRepository,
    private readonly database: Database,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Changes every record that a filter matches. A record that no longer matches when its turn comes is left alone, as is one that the
   * feature refuses to change.
   *
   * @param expected the number that was shown to the operator
   * @throws RecordRefusedError if there are more or fewer by now, or more than {@link MAX_BULK}
   */
  async updateAll(
    recordType: AdminRecords,
    filter: RecordFilter,
    patch: MergePatch<object>,
    expected: number,
  ): Promise<BulkOutcome> {
    const ids = await this.matching(recordType, filter, expected);
    return this.inPieces(
      recordType,
      batchesOf(ids, BULK_PIECE),
      { set: impersonal(recordType, patch) },
      (some) => this.updatePiece(recordType, { ...filter, ids: some }, some, patch),
    );
  }

  /**
   * Changes records piece by piece, until one fails: what was done until then stays, and the outcome says why it ended.
   *
   * @param details further content of the events about the pieces
   * @param work changes the records of a piece, in the transaction in progress
   * @throws what ended it before anything was changed
   */
  async inPieces<Piece>(
    recordType: AdminRecords,
    pieces: Iterable<Piece> | AsyncIterable<Piece>,
    details: object,
    work: (piece: Piece) => Promise<ChangedPiece>,
  ): Promise<BulkOutcome> {
    let outcome: BulkOutcome = { changed: 0, change: undefined, leftAlone: [] };
    try {
      for await (const piece of pieces) {
        const begun = performance.now();
        const before = outcome;
        outcome = await explainingRefusals(this.database, () =>
          this.database.transaction(async () => {
            await this.assertNotUndone(recordType, before);
            return this.record(recordType, await work(piece), details, before);
          }),
        );
        await yieldToWriters(this.database, begun);
      }
      return outcome;
    } catch (thrown) {
      if (outcome.change === undefined) throw thrown;
      const error = toAppError(thrown, () => this.database);
      if (isFault(error)) {
        const { name } = recordType;
        this.logger.error({ err: error.cause ?? error }, `A bulk change of ${name} ended early.`);
      }
      return { ...outcome, stopped: error.message };
    }
  }

  /**
   * Locks a bulk change: of the change and its undo, one records a piece at a time.
   *
   * @throws RecordRefusedError if an undo has begun to take the pieces back, which would find no further ones
   */
  private async assertNotUndone({ name }: AdminRecords, { change }: BulkOutcome): Promise<void> {
    if (change === undefined) return;
    await this.auditEvents.lock(change);
    for (const event of await this.auditEvents.since(change, name, OF_BULK)) {
      const { undoes } = viewEvent(event).after ?? {};
      if (String(undoes) === String(change))
        throw new RecordRefusedError(`The change was undone meanwhile by ${event.actor}.`);
    }
  }

  /** The ids of the records that a filter matches, a page of them in memory at a time. @throws RecordRefusedError */
  private async matching(
    recordType: AdminRecords,
    filter: RecordFilter,
    expected: number,
  ): Promise<bigint[]> {
    const { name } = recordType;
    const ids: bigint[] = [];
    for await (const page of this.stored.pages(recordType, { filter, order: BY_ID }, BULK_PIECE)) {
      ids.push(...page.map(({ values }) => values.id));
      if (ids.length > MAX_BULK)
        throw new RecordRefusedError(`More than ${MOST} ${name} match; set more filters.`);
    }
    if (ids.length === expected) return ids;
    throw new RecordRefusedError(
      `${ids.length.toLocaleString('en')} ${name} match now, not ${expected.toLocaleString('en')}. Check them again.`,
    );
  }

  private async updatePiece(
    recordType: AdminRecords,
    filter: RecordFilter,
    ids: readonly bigint[],
    patch: MergePatch<object>,
  ): Promise<ChangedPiece> {
    await this.stored.lock(recordType, ids);
    const found = await this.records.search(recordType, { filter, limit: ids.length });
    const results = await this.many.each(found, async ({ values, version }) => {
      const after = await this.records.change(recordType, values, patch);
      return version === versionOf(after)
        ? undefined
        : changeOf(recordType, 'update', values.id, values, after);
    });
    const there = new Set(found.map(({ values }) => values.id));
    const gone = ids.filter((id) => !there.has(id));
    const leftAlone: LeftAlone[] = gone.map((id) => ({ id, because: 'changed' }));
    const changes: AuditedChange[] = [];
    for (const [index, { values }] of found.entries()) {
      const result = results[index];
      if (result instanceof AppError)
        leftAlone.push({ id: values.id, because: 'refused', reason: result.message });
      else if (result) changes.push(result);
    }
    return { changes, leftAlone };
  }

  /** Records a piece, each record by itself and all together, in the transaction in progress. */
  private async record(
    recordType: AdminRecords,
    { changes, leftAlone: some }: ChangedPiece,
    details: object,
    before: BulkOutcome,
  ): Promise<BulkOutcome> {
    const leftAlone = [...before.leftAlone, ...some];
    if (changes.length === 0) return { ...before, leftAlone };
    const changed = before.changed + changes.length;
    const piece = bulkChangeOf(recordType, changes, before.change, { ...details, runChanged: changed });
    return { changed, leftAlone, change: await this.audit.recordAsOne(piece) };
  }
}
