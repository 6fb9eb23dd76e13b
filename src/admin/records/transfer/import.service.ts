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
import type { ImportFile } from './import-file';
import { ImportFiles } from './import-files.repository';
import { ImportJobs } from './import-jobs.service';
import { type ImportContent, ImportLedger, NOTHING_YET } from './import-ledger.repository';
import type { ImportRun } from './import-run.entity';
import { ImportRunsService } from './import-runs.service';
import { type Refusal, refusalWriter, type RefusalWriter } from './refusals';
import { ImportInProgressError } from './transfer.errors';

/** Options of an import. */
export interface ImportOptions {
  /** Imports a content once more that was imported before. */
  readonly again?: boolean;
  /** Does everything, but rolls it back. */
  readonly dryRun?: boolean;
  /** Ends the import after the running batch. */
  readonly signal?: AbortSignal;
  /** Called before the first batch with the number of rows, and the number of rows processed by earlier imports. */
  readonly onBegin?: (rows: number, done: number) => void;
  /**
   * Called after each batch with the number of rows processed so far, and the refused rows of the batch, also as a part of a file.
   * The next batch waits for it.
   */
  readonly onBatch?: (done: number, refused: readonly Refusal[], text: string) => void | Promise<void>;
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
  /** Required texts that are empty in rows that this process imported. */
  readonly emptyTexts: readonly EmptyText[];
}

/** Progress of an import, in rows. */
interface Progress {
  readonly done: number;
  readonly imported: number;
  readonly refused: number;
}

/** The file to import, the number of its rows, and the type of its records. */
interface Source {
  readonly recordType: AdminRecords;
  readonly file: ImportFile;
  readonly rows: number;
}

/** An import whose file is stored. */
interface StoredImport {
  readonly recordType: AdminRecords;
  readonly id: bigint;
  /** Number of the rows of the file. */
  readonly rows: number;
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
    private readonly files: ImportFiles,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /**
   * Imports a file. It is read first completely, to refuse a malformed file before any row is imported and to identify it. Then
   * it is stored, so that any process can go on with the import.
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
    const { rows, digest } = await file.scan(recordType);
    if (options.dryRun) return this.importRows({ recordType, file, rows }, undefined, options);
    const content = contentOf(recordType, file, digest);
    const { id, job } = await this.runs.begin(file, content, { rows, again: options.again ?? false });
    return this.jobs.runHere(job, `the import of ${file.name}`, async (running) => {
      const result = await this.goOn({ recordType, id, rows }, running, options);
      return { result, isFinished: result.done === rows };
    });
  }

  /**
   * Imports the rows of a stored file in batches, each in one transaction with its audit event and the progress of the import. So
   * a process that dies leaves whole batches, and the next one goes on after them.
   *
   * @throws FileChangedError, or ImportInProgressError if another run of the job is about the import by now
   */
  async goOn(
    { recordType, id, rows }: StoredImport,
    job: JobRun,
    options: ImportOptions = {},
  ): Promise<ImportReport> {
    const run = await this.ledger.find(recordType, id);
    if (run?.job !== job.id) throw new ImportInProgressError(`Import ${id}`);
    const file = await this.files.open(run);
    const report = await this.importRows({ recordType, file, rows }, { run, job }, options);
    if (report.done === rows) {
      await this.ledger.change(id, { finishedAt: new Date() });
      await this.files.remove(id);
    }
    return report;
  }

  /**
   * Describes the last import of the same content: its time, its file name and its actor; undefined if it was never imported.
   * @throws MalformedFileError
   */
  async lastImport(recordType: AdminRecords, file: ImportFile): Promise<string | undefined> {
    const { digest } = await file.scan(recordType);
    return this.runs.lastImport(contentOf(recordType, file, digest), file.name);
  }

  /** @param running undefined for a dry run */
  private async importRows(
    source: Source,
    running: Running | undefined,
    { signal, onBegin, onBatch }: ImportOptions,
  ): Promise<ImportReport> {
    const { recordType, file, rows: total } = source;
    const before = running?.run ?? NOTHING_YET;
    const resumedAt = Number(before.rows);
    let progress: Progress = {
      done: resumedAt,
      imported: Number(before.imported),
      refused: Number(before.refused),
    };
    const emptyTexts = new EmptyTexts(recordType.creation ?? Object);
    onBegin?.(total, resumedAt);
    let seen = 0;
    let pause: Promise<void> | undefined;
    let writer: RefusalWriter | undefined;
    for await (const some of file.rows(recordType)) {
      if (signal?.aborted) break;
      writer ??= refusalWriter(file, some[0]?.header() ?? '');
      const fresh = some.slice(Math.max(0, resumedAt - seen));
      seen += some.length;
      for (const rows of batchesOf(fresh, this.many.mostAdded(recordType))) {
        if (signal?.aborted) break;
        const batch = new Batch(rows, recordType.creation ?? Object);
        await pause;
        const begun = performance.now();
        const text = await this.store(source, batch, progress, writer, running);
        progress = after(progress, batch);
        for (const { row, creation } of batch.accepted) emptyTexts.add(row.line, creation);
        await onBatch?.(progress.done, batch.refused, text);
        // The next batch is read in the meantime.
        pause = yieldToWriters(this.database, begun);
      }
    }
    return {
      run: running?.run.id,
      rows: total,
      resumedAt,
      ...progress,
      emptyTexts: emptyTexts.list(),
    };
  }

  /** Stores one batch, completely or not at all. @returns its part of the file of refused rows */
  private async store(
    source: Source,
    batch: Batch,
    before: Progress,
    writer: RefusalWriter,
    running: Running | undefined,
  ): Promise<string> {
    const { recordType, rows: total } = source;
    const done = before.done + batch.rows.length;
    let text = '';
    const work = async () => {
      const results = await this.many.create(
        recordType,
        batch.candidates.map(({ creation }) => creation),
      );
      const added = batch.settle(results);
      text = writer(batch.refused, before.refused === 0);
      if (!running) throw new Rehearsed();
      const { id } = running.run;
      const { imported, refused } = after(before, batch);
      const counts = { rows: BigInt(done), imported: BigInt(imported), refused: BigInt(refused) };
      await this.ledger.change(id, counts);
      await this.ledger.add(id, added, text);
      if (added.length === 0) return;
      const change = importedBatch(running.run, batch, added, imported);
      const begun = await this.audit.first(change.subject, change.action);
      await this.audit.record({ ...change, whole: begun?.id });
    };
    try {
      await (running ? running.job.step(work, { done, total }) : this.database.transaction(work));
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error;
    }
    return text;
  }
}

/** The progress after a batch. */
function after({ done, imported, refused }: Progress, batch: Batch): Progress {
  return {
    done: done + batch.rows.length,
    imported: imported + batch.accepted.length,
    refused: refused + batch.refused.length,
  };
}

/** The audited addition of the records of a batch. */
function importedBatch(
  { kind, id: run, fileName, digest }: ImportRun,
  { rows, refused }: Batch,
  added: readonly RecordValues[],
  runImported: number,
) {
  return {
    action: `${kind}.import`,
    subject: { type: kind, id: importSubject(run) },
    after: {
      file: fileName,
      sha256: digest,
      firstLine: rows[0]?.line,
      lastLine: rows.at(-1)?.line,
      imported: added.length,
      refused: refused.length,
      ids: idRanges(added.map(({ id }) => id)),
      runImported,
    },
  };
}

function contentOf({ name: kind }: AdminRecords, { format }: ImportFile, digest: string): ImportContent {
  return { kind, format, digest };
}
