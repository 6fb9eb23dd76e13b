import { Injectable } from '@nestjs/common';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { AuditLog } from '../../../platform/audit/audit-log';
import { Database } from '../../../platform/database/database';
import { batchesOf } from '../../../platform/database/statements/batches';
import type { JobRun } from '../../../platform/jobs/job-run';
import { yieldToWriters } from '../../../platform/database/yield-to-writers';
import { idRanges } from '../../audit/id-ranges';
import { importSubject } from '../record-change';
import { RecordRefusedError } from '../records.errors';
import { RecordsService } from '../records.service';
import { ManyRecords } from '../many-records.service';
import type { RecordValues } from '../stored-record';
import { Batch } from './batch';
import { type EmptyText, EmptyTexts } from './empty-texts';
import { formatOf } from './formats';
import type { FileScan, ImportFile } from './import-file';
import { ImportJobs } from './import-jobs.service';
import { type ImportContent, ImportLedger, NOTHING_YET } from './import-ledger.repository';
import type { ImportRun } from './import-run.entity';
import { ImportRunsService } from './import-runs.service';
import { type Refusal, REFUSALS_AS_JSON, refusalWriter, type RefusalWriter, RejectsFile } from './refusals';

/** Options of an import. */
export interface ImportOptions {
  /** Imports a content once more that was imported before. */
  readonly again?: boolean;
  /** Does everything, but rolls it back. */
  readonly dryRun?: boolean;
  /** Ends the import after the running batch. */
  readonly signal?: AbortSignal;
  /** Path of the new file for refused rows, which is there once the import is complete and a row was refused: one that ends in `.csv` gets the rows of a CSV file as CSV, any other gets JSON lines. */
  readonly rejects?: string | undefined;
  /** Called before the first batch with the number of rows, and the number of rows processed by earlier imports. */
  readonly onBegin?: (rows: number, done: number) => void;
  /** Called after each batch with the number of rows processed so far, and the refused rows of the batch. The next waits for it. */
  readonly onBatch?: (done: number, refused: readonly Refusal[]) => void | Promise<void>;
}

/** The result of an import. */
export interface ImportReport {
  /** Undefined for a dry run. */
  readonly run: bigint | undefined;
  /** Number of rows in the file. */
  readonly rows: number;
  /** Rows processed, from the first: fewer than the file has if the import was ended. */
  readonly done: number;
  /** Rows processed by earlier processes. */
  readonly resumedAt: number;
  /** Processed rows that were imported. Those neither imported nor refused are empty. */
  readonly imported: number;
  readonly refused: number;
  /** True if there is a file of refused rows that lacks those that earlier processes have refused. */
  readonly rejectsLackEarlier: boolean | undefined;
  /** Required texts that are empty in rows that this process imported. */
  readonly emptyTexts: readonly EmptyText[];
}

/** Progress of an import, in rows. */
interface Progress {
  readonly done: number;
  readonly imported: number;
  readonly refused: number;
}

/** The file to import, as it was scanned, and the type of its records. */
interface Source {
  readonly recordType: AdminRecords;
  readonly file: ImportFile;
  readonly scan: FileScan;
}

/** An import that is stored, and the run of the job in which this process makes it. */
interface Running {
  readonly run: ImportRun;
  readonly job: JobRun;
}

/** Thrown to roll back a batch of a dry run. */
class Rehearsed extends Error {}

/** Imports the rows of files as records of features, by the features' rules. */
@Injectable()
export class ImportService {
  constructor(
    private readonly records: RecordsService,
    private readonly many: ManyRecords,
    private readonly runs: ImportRunsService,
    private readonly jobs: ImportJobs,
    private readonly ledger: ImportLedger,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /**
   * Imports a file. It is read twice: first completely, to refuse a malformed file before any row is imported and to identify
   * it; then in batches, each in one transaction with its audit event and the progress of the run. So a process that dies
   * leaves whole batches, and the next import of the same content continues after them.
   *
   * @throws MalformedFileError, FileChangedError, ImportInProgressError, AlreadyImportedError, ImportTakenOverError or
   * RecordRefusedError
   */
  async import(
    recordType: AdminRecords,
    file: ImportFile,
    options: ImportOptions = {},
  ): Promise<ImportReport> {
    if (!this.records.actionsOf(recordType).create)
      throw new RecordRefusedError(`No ${recordType.one} can be added.`);
    const source: Source = { recordType, file, scan: await file.scan(recordType) };
    if (options.dryRun) return this.importRows(source, undefined, options);
    const held = await this.runs.begin(contentOf(source), file.name, options.again ?? false);
    return this.jobs.inThisProcess(held.job, `the import of ${file.name}`, async (job) => {
      const result = await this.importRows(source, { run: held.run, job }, options);
      const isFinished = result.done === result.rows;
      if (isFinished) await this.ledger.change(held.run.id, { finishedAt: new Date() });
      return { result, isFinished };
    });
  }

  /**
   * Describes the last import of the same content: its time, its file name and its actor; undefined if it was never imported.
   * @throws MalformedFileError
   */
  async lastImport(recordType: AdminRecords, file: ImportFile): Promise<string | undefined> {
    const content = contentOf({ recordType, file, scan: await file.scan(recordType) });
    return this.runs.lastImport(content, file.name);
  }

  /** @param running undefined for a dry run */
  private async importRows(
    source: Source,
    running: Running | undefined,
    { signal, rejects: path, onBegin, onBatch }: ImportOptions,
  ): Promise<ImportReport> {
    const { recordType, file, scan } = source;
    const before = running?.run ?? NOTHING_YET;
    const resumedAt = Number(before.rows);
    let progress: Progress = {
      done: resumedAt,
      imported: Number(before.imported),
      refused: Number(before.refused),
    };
    const rejects =
      path === undefined
        ? undefined
        : await RejectsFile.open(path, running?.run, rejectsWriter(path, source));
    const emptyTexts = new EmptyTexts(recordType.creation ?? Object);
    onBegin?.(scan.rows, resumedAt);
    try {
      let seen = 0;
      let pause: Promise<void> | undefined;
      for await (const some of file.rows(recordType)) {
        if (signal?.aborted) break;
        const fresh = some.slice(Math.max(0, resumedAt - seen));
        seen += some.length;
        for (const rows of batchesOf(fresh, this.many.mostAdded(recordType))) {
          if (signal?.aborted) break;
          await file.assertUnchanged();
          const batch = new Batch(rows, recordType.creation ?? Object);
          await pause;
          const begun = performance.now();
          progress = await this.store(source, batch, progress, rejects, running);
          for (const { row, creation } of batch.accepted) emptyTexts.add(row.line, creation);
          await onBatch?.(progress.done, batch.refused);
          // The next batch is read in the meantime.
          pause = yieldToWriters(this.database, begun);
        }
      }
      if (progress.done === scan.rows) await rejects?.complete();
    } finally {
      await rejects?.close(running !== undefined);
    }
    return {
      run: running?.run.id,
      rows: scan.rows,
      resumedAt,
      ...progress,
      rejectsLackEarlier: rejects?.lacksEarlier,
      emptyTexts: emptyTexts.list(),
    };
  }

  /** Stores one batch, completely or not at all. @returns the progress after it */
  private async store(
    source: Source,
    batch: Batch,
    before: Progress,
    rejects: RejectsFile | undefined,
    running: Running | undefined,
  ): Promise<Progress> {
    const { recordType, scan } = source;
    const rejectsSize = rejects?.size ?? 0;
    const done = before.done + batch.rows.length;
    let after = before;
    const work = async () => {
      const results = await this.many.create(
        recordType,
        batch.candidates.map(({ creation }) => creation),
      );
      const added = batch.settle(results);
      after = {
        done,
        imported: before.imported + added.length,
        refused: before.refused + batch.refused.length,
      };
      await rejects?.shrinkTo(rejectsSize);
      await rejects?.append(batch.refused);
      if (!running) throw new Rehearsed();
      const { id } = running.run;
      await this.ledger.change(id, {
        rows: BigInt(done),
        imported: BigInt(after.imported),
        refused: BigInt(after.refused),
        rejectsSize: BigInt(rejects?.size ?? 0),
      });
      await this.ledger.add(id, added, batch.refused, refusalWriter(source.file, scan.header));
      if (added.length === 0) return;
      const change = importedBatch(source, id, batch, added, after);
      const begun = await this.audit.first(change.subject, change.action);
      await this.audit.record({ ...change, whole: begun?.id });
    };
    try {
      await (running ? running.job.step(work, { done, total: scan.rows }) : this.database.transaction(work));
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error;
    }
    return after;
  }
}

/** The audited addition of the records of a batch. */
function importedBatch(
  { recordType: { name }, file, scan }: Source,
  run: bigint,
  { rows, refused }: Batch,
  added: readonly RecordValues[],
  { imported }: Progress,
) {
  return {
    action: `${name}.import`,
    subject: { type: name, id: importSubject(run) },
    after: {
      file: file.name,
      sha256: scan.digest,
      firstLine: rows[0]?.line,
      lastLine: rows.at(-1)?.line,
      imported: added.length,
      refused: refused.length,
      ids: idRanges(added.map(({ id }) => id)),
      runImported: imported,
    },
  };
}

/** The writer of the file of refused rows at a path. */
function rejectsWriter(path: string, { file, scan }: Source): RefusalWriter {
  return file.format === 'csv' && formatOf(path) === 'csv'
    ? refusalWriter(file, scan.header)
    : REFUSALS_AS_JSON;
}

function contentOf({
  recordType: { name: kind },
  file: { format },
  scan: { digest },
}: Source): ImportContent {
  return { kind, format, digest };
}
