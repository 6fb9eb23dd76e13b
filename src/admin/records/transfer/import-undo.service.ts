import { Injectable } from '@nestjs/common';
import { currentActor } from '../../../platform/security/actor';
import { AuditLog, type AuditedChange } from '../../../platform/audit/audit-log';
import { Database } from '../../../platform/database/database';
import { yieldToWriters } from '../../../platform/database/yield-to-writers';
import type { JobRun } from '../../../platform/jobs/job-run';
import { AppError } from '../../../platform/errors/app-error';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { idRanges } from '../../audit/id-ranges';
import { importSubject, type LeftAlone, undoneImportOf, undoOfImport } from '../record-change';
import { RecordRefusedError } from '../records.errors';
import { RecordsService } from '../records.service';
import { ManyRecords } from '../many-records.service';
import type { StoredRecord } from '../stored-record';
import { leftAloneBy } from '../undo.service';
import { ImportFiles } from './import-files.repository';
import { ImportJobs } from './import-jobs.service';
import { type AddedRecord, beginOfVersion, ImportLedger, lastOf } from './import-ledger.repository';
import { UNDO_DAYS } from './import-retention-job';
import type { ImportRun } from './import-run.entity';
import { ImportNotFoundError } from './transfer.errors';

/** Arguments of the undo of an import. */
export class UndoImportArguments {
  readonly recordType!: string;
  /** Number of the import. */
  readonly run!: bigint;
}

/** The undo of an import: how far it is. */
export interface ImportUndoReport {
  readonly run: bigint;
  /** Records that were removed. */
  readonly undone: number;
  /** Number of records that were left alone. */
  readonly leftAlone: number;
  /** Records still to be looked at: some if the undo was ended before its end. */
  readonly remaining: number;
}

/** Options of the undo of an import. */
export interface ImportUndoOptions {
  /** Ends the undo after the piece in progress. */
  readonly signal?: AbortSignal;
  /** Called before the first piece and after each. */
  readonly onPiece?: (report: ImportUndoReport) => void;
}

/**
 * Takes imports back: removes what they added, the newest first, by the features' own rules. A record that was changed since, or
 * that the feature refuses to remove, is left alone and named. Each piece is one transaction with its audit events, so a process
 * that dies leaves whole pieces, and the next undo goes on after them.
 */
@Injectable()
export class ImportUndo {
  constructor(
    private readonly records: RecordsService,
    private readonly many: ManyRecords,
    private readonly ledger: ImportLedger,
    private readonly files: ImportFiles,
    private readonly jobs: ImportJobs,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /** True if an import can be undone, as far as is known without looking at its records. */
  isOffered(recordType: AdminRecords, { imported, undoActor, undoneAt }: ImportRun): boolean {
    return imported > 0n && !undoActor && !undoneAt && this.records.actionsOf(recordType).remove;
  }

  /** Starts the undoing of an import, in the background. @throws ImportNotFoundError, RecordRefusedError */
  async request(recordType: AdminRecords, id: bigint): Promise<void> {
    await this.database.transaction(async () => {
      const run = await this.get(recordType, id);
      if (run.undoActor && !run.undoneAt) throw beingUndone(run);
      await this.assertCanBegin(recordType, run);
      await this.jobs.start(run, undoOf(run));
    });
  }

  /**
   * Undoes an import, or goes on with an undo whose process is gone.
   *
   * @throws ImportNotFoundError, RecordRefusedError, or ImportTakenOverError if another process went on with it meanwhile
   */
  async undo(
    recordType: AdminRecords,
    id: bigint,
    options: ImportUndoOptions = {},
  ): Promise<ImportUndoReport> {
    const job = await this.database.transaction(async () => {
      const run = await this.get(recordType, id);
      await this.assertCanBegin(recordType, run);
      return this.jobs.startHere(run, undoOf(run));
    });
    return this.jobs.runHere(job, `the undo of import ${id}`, async (running) => {
      const report = await this.goOn(recordType, id, running, options);
      const isFinished = report.remaining === 0;
      if (!isFinished) await this.ledger.change(id, { undoActor: null });
      return { result: report, isFinished };
    });
  }

  /** Undoes what is left of an import, piece by piece. */
  async goOn(
    recordType: AdminRecords,
    id: bigint,
    running: JobRun,
    options: ImportUndoOptions = {},
  ): Promise<ImportUndoReport> {
    const run = await this.ledger.find(recordType, id);
    if (!run) throw new ImportNotFoundError(recordType.name, id);
    if (run.job !== running.id) throw beingUndone(run);
    let report = await this.reportOf(run);
    options.onPiece?.(report);
    const total = Number(run.imported);
    while (report.remaining > 0 && !options.signal?.aborted) {
      const begun = performance.now();
      const before = report;
      report = await running.step(
        () => this.piece(recordType, before),
        ({ remaining }) => ({ done: total - remaining, total }),
      );
      options.onPiece?.(report);
      await yieldToWriters(this.database, begun);
    }
    if (report.remaining === 0) {
      await this.ledger.change(id, { undoneAt: new Date() });
      // That of an import that was stopped.
      await this.files.remove(id);
    }
    return report;
  }

  /**
   * Counts what an undo would look at: the records that were added and are neither removed nor left alone. Whether a record was changed
   * since is seen when its turn comes.
   *
   * @throws ImportNotFoundError
   */
  async preview(recordType: AdminRecords, id: bigint): Promise<ImportUndoReport> {
    const run = await this.ledger.find(recordType, id);
    if (!run) throw new ImportNotFoundError(recordType.name, id);
    return this.reportOf(run);
  }

  /** The id of the entry of the audit log that stands for an import. */
  async entry({ name: type }: AdminRecords, run: bigint): Promise<bigint | undefined> {
    return (await this.audit.first({ type, id: importSubject(run) }, `${type}.import`))?.id;
  }

  private async get(recordType: AdminRecords, id: bigint): Promise<ImportRun> {
    const run = await this.ledger.findForUpdate(id);
    if (run?.kind !== recordType.name) throw new ImportNotFoundError(recordType.name, id);
    return run;
  }

  private async assertCanBegin(recordType: AdminRecords, run: ImportRun): Promise<void> {
    if (!this.records.actionsOf(recordType).remove)
      throw new RecordRefusedError(`No ${recordType.one} can be removed.`);
    if (run.undoneAt) throw new RecordRefusedError(`The import ${run.id} was undone already.`);
    if (await this.jobs.isHeld(run)) {
      throw run.undoActor
        ? beingUndone(run)
        : new RecordRefusedError(
            `The import ${run.id} is still running: wait for its end, or stop it first.`,
          );
    }
    const { undone, leftAlone, remaining } = await this.reportOf(run);
    if (run.imported === 0n) throw new RecordRefusedError(`The import ${run.id} added nothing.`);
    if (undone + leftAlone + remaining < Number(run.imported)) {
      throw new RecordRefusedError(
        `The import ${run.id} cannot be undone: it is more than ${UNDO_DAYS} days old.`,
      );
    }
  }

  private async reportOf({ id, undone, leftAlone }: ImportRun): Promise<ImportUndoReport> {
    const remaining = await this.ledger.remaining(id);
    return { run: id, undone: Number(undone ?? 0), leftAlone: Number(leftAlone ?? 0), remaining };
  }

  /** Undoes the next piece, in the transaction in progress. */
  private async piece(recordType: AdminRecords, report: ImportUndoReport): Promise<ImportUndoReport> {
    const batch = await this.ledger.newest(report.run);
    if (!batch) return { ...report, remaining: 0 };
    const added = lastOf(batch, this.many.mostRemoved(recordType));
    const { changes, leftAlone } = await this.removeAll(recordType, added);
    const undone = report.undone + changes.length;
    const left = report.leftAlone + leftAlone.length;
    await this.ledger.shorten(batch, added.length, leftAlone);
    await this.ledger.change(report.run, { undone: BigInt(undone), leftAlone: BigInt(left) });
    const { name: type } = recordType;
    const begun = await this.audit.first({ type, id: importSubject(report.run) }, undoOfImport(type));
    const details = { ...rangesOf(leftAlone), runChanged: undone, runLeftAlone: left };
    await this.audit.recordAsOne(undoneImportOf(recordType, report.run, changes, begun?.id, details));
    return { ...report, undone, leftAlone: left, remaining: report.remaining - added.length };
  }

  private async removeAll(
    recordType: AdminRecords,
    added: readonly AddedRecord[],
  ): Promise<{ changes: AuditedChange[]; leftAlone: LeftAlone[] }> {
    const found = await this.many.findLocked(
      recordType,
      added.map(({ id }) => id),
    );
    const records = new Map(found.map((record) => [record.values.id, record]));
    const unchanged: StoredRecord[] = [];
    const changes: AuditedChange[] = [];
    const leftAlone: LeftAlone[] = [];
    // The newest first: it may refer to those before.
    for (const { id, version } of added.toReversed()) {
      const now = records.get(id);
      if (now === undefined) leftAlone.push({ id, because: 'removed' });
      else if (beginOfVersion(now.version) !== version) leftAlone.push({ id, because: 'changed' });
      else unchanged.push(now);
    }
    const removed = await this.many.remove(recordType, unchanged);
    for (const [index, { values }] of unchanged.entries()) {
      const result = removed[index] as AuditedChange | AppError;
      if (!(result instanceof AppError)) changes.push(result);
      else leftAlone.push({ id: values.id, ...leftAloneBy(result) });
    }
    return { changes, leftAlone: leftAlone.toSorted((a, b) => (a.id < b.id ? 1 : -1)) };
  }
}

/** The job that undoes an import on behalf of the current actor. */
function undoOf({ id, kind }: ImportRun) {
  return {
    args: UndoImportArguments,
    members: { recordType: kind, run: id },
    changes: { undoActor: JSON.stringify({ name: currentActor().name }) },
  };
}

function beingUndone({ id }: ImportRun): Error {
  return new RecordRefusedError(`The import ${id} is being undone already.`);
}

/** The records that a piece left alone, by the reason. */
function rangesOf(leftAlone: readonly LeftAlone[]): object {
  const byReason = Map.groupBy(leftAlone, ({ because }) => because);
  const ranges = [...byReason].map(([reason, some]) => [reason, idRanges(some.map(({ id }) => id))] as const);
  return ranges.length > 0 ? { leftAlone: Object.fromEntries(ranges) } : {};
}
