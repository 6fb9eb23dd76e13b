import { Injectable } from '@nestjs/common';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { AuditLog } from '../../../platform/audit/audit-log';
import { Database } from '../../../platform/database/database';
import type { JobRun } from '../../../platform/jobs/job-run';
import { yieldToWriters } from '../../../platform/database/yield-to-writers';
import { idRanges } from '../../audit/id-ranges';
import { importSubject } from '../record-change';
import { RecordRefusedError } from '../records.errors';
import { RecordsService } from '../records.service';
import type { RecordValues } from '../stored-record';
import { Batch } from './batch';
import { type EmptyText, EmptyTexts } from './empty-texts';
import { formatOf } from './formats';
import type { FileScan, ImportFile } from './import-file';
import { ImportJobs } from './import-jobs.service';
import { ImportBatchesRepository } from './import-batches.repository';
import { ImportRefusalsRepository } from './import-refusals.repository';
import type { RunContent } from './import-runs.repository';
import { type HeldRun, ImportRunsService } from './import-runs.service';
import { type Refusal, REFUSALS_AS_JSON, refusalWriter, type RefusalWriter, RejectsFile } from './refusals';

/** Options of an import. */
export interface ImportOptions {
  /** Imports a content once more that was imported before. */
  readonly again?: boolean;
  /** Does everything, but rolls it back. */
  readonly dryRun?: boolean;
  /** Ends the import after the running batch. */
  readonly signal?: AbortSignal;
  /** Path of the file for refused rows: one that ends in `.csv` gets the rows of a CSV file as CSV, any other gets JSON lines. */
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
  /** Processed rows that were imported. */
  readonly imported: number;
  readonly refused: number;
  /** Required texts that are empty in rows that this process imported. */
  readonly emptyTexts: readonly EmptyText[];
}

/** Progress of an import, in rows. */
interface Progress {
  done: number;
  imported: number;
  refused: number;
}

/** Thrown to roll back a batch of a dry run. */
class Rehearsed extends Error {}

/** Imports the rows of files as records of features, by the features' rules. */
@Injectable()
export class ImportService {
  constructor(
    private readonly records: RecordsService,
    private readonly runs: ImportRunsService,
    private readonly jobs: ImportJobs,
    private readonly batches: ImportBatchesRepository,
    private readonly refusals: ImportRefusalsRepository,
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
    const scan = await file.scan(recordType);
    if (options.dryRun) return this.run(recordType, file, scan, undefined, options);
    const run = await this.runs.begin(contentOf(recordType, file, scan), file.name, options.again ?? false);
    return this.jobs.inThisProcess(run.job, `the import of ${file.name}`, async (job) => {
      let isFinished = false;
      try {
        const report = await this.run(recordType, file, scan, { ...run, running: job }, options);
        isFinished = report.done === report.rows;
        return { result: report, isFinished };
      } finally {
        await this.runs.end(run, isFinished);
      }
    });
  }

  /**
   * Describes the last import of the same content: its time, its file name and its actor; undefined if it was never imported.
   * @throws MalformedFileError
   */
  async lastImport(recordType: AdminRecords, file: ImportFile): Promise<string | undefined> {
    return this.runs.lastImport(contentOf(recordType, file, await file.scan(recordType)), file.name);
  }

  private async run(
    recordType: AdminRecords,
    file: ImportFile,
    { rows, digest, header }: FileScan,
    run: RunningImport | undefined,
    { signal, rejects, onBegin, onBatch }: ImportOptions,
  ): Promise<ImportReport> {
    const resumedAt = Number(run?.rows ?? 0);
    const progress: Progress = {
      done: resumedAt,
      imported: Number(run?.imported ?? 0),
      refused: Number(run?.refused ?? 0),
    };
    const report =
      rejects === undefined
        ? undefined
        : await RejectsFile.open(
            rejects,
            Number(run?.rejectsSize ?? 0),
            file.format === 'csv' && formatOf(rejects) === 'csv'
              ? refusalWriter(file, header)
              : REFUSALS_AS_JSON,
          );
    const writer = refusalWriter(file, header);
    const emptyTexts = new EmptyTexts(recordType.creation ?? Object);
    onBegin?.(rows, resumedAt);
    try {
      let seen = 0;
      let pause: Promise<void> | undefined;
      for await (const some of file.rows(recordType)) {
        if (signal?.aborted) break;
        const fresh = some.slice(Math.max(0, resumedAt - seen));
        seen += some.length;
        if (fresh.length === 0) continue;
        await file.assertUnchanged();
        const batch = new Batch(fresh, recordType.creation ?? Object);
        await pause;
        const begun = performance.now();
        await this.store(recordType, batch, { run, digest, report, progress, file, writer, rows });
        for (const { row, creation } of batch.accepted) emptyTexts.add(row.line, creation);
        await onBatch?.(progress.done, batch.refused);
        // The next batch is read in the meantime.
        pause = yieldToWriters(this.database, begun);
      }
    } finally {
      await report?.close();
    }
    return { run: run?.id, rows, resumedAt, ...progress, emptyTexts: emptyTexts.list() };
  }

  /** Stores one batch, completely or not at all. */
  private async store(recordType: AdminRecords, batch: Batch, import_: Context): Promise<void> {
    const { run, report, progress } = import_;
    const rejectsSize = report?.size ?? 0;
    let added: RecordValues[] = [];
    const work = async () => {
      const results = await this.records.createMany(
        recordType,
        batch.candidates.map(({ creation }) => creation),
      );
      added = batch.settle(results);
      await report?.shrinkTo(rejectsSize);
      await report?.append(batch.refused);
      if (!run) throw new Rehearsed();
      await this.runs.advance(run, {
        rows: BigInt(progress.done + batch.rows.length),
        imported: BigInt(progress.imported + added.length),
        refused: BigInt(progress.refused + batch.refused.length),
        rejectsSize: BigInt(report?.size ?? 0),
      });
      if (batch.refused.length > 0) await this.refusals.insert(run.id, batch.refused, import_.writer);
      if (added.length === 0) return;
      await this.batches.insert(run.id, added);
      await this.record(recordType, batch, added, run, import_);
    };
    const done = progress.done + batch.rows.length;
    try {
      await (run ? run.running.step(work, { done, total: import_.rows }) : this.database.transaction(work));
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error;
    }
    progress.done += batch.rows.length;
    progress.imported += added.length;
    progress.refused += batch.refused.length;
  }

  private record(
    { name }: AdminRecords,
    { rows, refused }: Batch,
    added: readonly RecordValues[],
    run: RunningImport,
    { digest, file, progress }: Context,
  ): Promise<bigint> {
    return this.audit.record({
      action: `${name}.import`,
      subject: { type: name, id: importSubject(run.id) },
      after: {
        file: file.name,
        sha256: digest,
        firstLine: rows[0]?.line,
        lastLine: rows.at(-1)?.line,
        imported: added.length,
        refused: refused.length,
        ids: idRanges(added.map(({ id }) => id)),
        runImported: progress.imported + added.length,
      },
    });
  }
}

/** State that the batches of an import share. */
interface Context {
  readonly run: RunningImport | undefined;
  readonly digest: string;
  readonly report: RejectsFile | undefined;
  readonly writer: RefusalWriter;
  readonly progress: Progress;
  readonly file: ImportFile;
  /** Number of rows in the file. */
  readonly rows: number;
}

/** A run, and the run of the job in which this process imports it. */
interface RunningImport extends HeldRun {
  readonly running: JobRun;
}

function contentOf({ name: kind }: AdminRecords, { format }: ImportFile, { digest }: FileScan): RunContent {
  return { kind, format, digest };
}
