import { Injectable, type Type } from '@nestjs/common';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { AuditLog } from '../../../platform/audit/audit-log';
import { Database } from '../../../platform/database/database';
import { yieldToWriters } from '../../../platform/database/yield-to-writers';
import { AppError } from '../../../platform/errors/app-error';
import { idRanges } from '../../audit/id-ranges';
import { validate } from '../record-values';
import { InvalidRecordError, RecordRefusedError } from '../records.errors';
import { RecordsService } from '../records.service';
import type { FileScan, ImportFile } from './import-file';
import type { RunContent } from './import-runs.repository';
import { type HeldRun, ImportRunsService } from './import-runs.service';
import { type Refusal, RejectsFile } from './refusals';
import type { SourceRow } from './source-row';
import { InvalidRowError } from './transfer.errors';

/** How a file is imported. */
export interface ImportOptions {
  /** Import once more what was imported. */
  readonly again?: boolean;
  /** Do everything but keep it. */
  readonly dryRun?: boolean;
  /** Ends it after the batch that runs. */
  readonly signal?: AbortSignal;
  /** Where refused rows are written. */
  readonly rejects?: string | undefined;
  /** Called before the first batch: how many rows there are, and how many are done with from an earlier time. */
  readonly onBegin?: (rows: number, done: number) => void;
  /** Called after each batch: how many rows are done with, and which of the batch were refused. */
  readonly onBatch?: (done: number, refused: readonly Refusal[]) => void;
}

/** What became of a file. */
export interface ImportReport {
  /** Undefined of a dry run. */
  readonly run: bigint | undefined;
  /** Rows of the file. */
  readonly rows: number;
  /** Rows done with, from the first: fewer than there are when it was ended. */
  readonly done: number;
  /** Done with by earlier processes. */
  readonly resumedAt: number;
  /** Of the rows done with. */
  readonly imported: number;
  readonly refused: number;
}

/** How far an import has come. */
interface Progress {
  done: number;
  imported: number;
  refused: number;
}

/** A row whose values are valid. */
interface Candidate {
  readonly row: SourceRow;
  readonly creation: object;
}

/** Undoes a batch of a dry run. */
class Rehearsed extends Error {}

/** Adds the rows of files to the records of features, by the features' rules. */
@Injectable()
export class ImportService {
  constructor(
    private readonly records: RecordsService,
    private readonly runs: ImportRunsService,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /**
   * Imports a file. It is read twice: first whole, to refuse a malformed file before any row gets in and to identify it; then in
   * batches, each with its audit event and its place in the run in one transaction. So a process that dies leaves whole
   * batches, and the next import of the same content goes on behind them.
   *
   * @throws MalformedFileError, FileChangedError, ImportInProgressError, AlreadyImportedError, ImportTakenOverError or RecordRefusedError
   */
  async import(kind: AdminRecords, file: ImportFile, options: ImportOptions = {}): Promise<ImportReport> {
    if (!this.records.actionsOf(kind).create) throw new RecordRefusedError(`No ${kind.one} can be added.`);
    const scan = await file.scan(kind);
    if (options.dryRun) return this.run(kind, file, scan, undefined, options);
    const run = await this.runs.begin(contentOf(kind, file, scan), file.name, options.again ?? false);
    let isFinished = false;
    try {
      const report = await this.run(kind, file, scan, run, options);
      isFinished = report.done === report.rows;
      return report;
    } finally {
      await this.runs.end(run, isFinished);
    }
  }

  /** When and as what the same content was imported last, and who did it; undefined when it was not. @throws MalformedFileError */
  async lastImport(kind: AdminRecords, file: ImportFile): Promise<string | undefined> {
    return this.runs.lastImport(contentOf(kind, file, await file.scan(kind)), file.name);
  }

  private async run(
    kind: AdminRecords,
    file: ImportFile,
    { rows, digest }: FileScan,
    run: HeldRun | undefined,
    { signal, rejects, onBegin, onBatch }: ImportOptions,
  ): Promise<ImportReport> {
    const resumedAt = Number(run?.rows ?? 0);
    const progress: Progress = {
      done: resumedAt,
      imported: Number(run?.imported ?? 0),
      refused: Number(run?.refused ?? 0),
    };
    const report =
      rejects === undefined ? undefined : await RejectsFile.open(rejects, Number(run?.rejectsSize ?? 0));
    onBegin?.(rows, resumedAt);
    try {
      let seen = 0;
      let pause: Promise<void> | undefined;
      for await (const some of file.rows(kind)) {
        if (signal?.aborted) break;
        const fresh = some.slice(Math.max(0, resumedAt - seen));
        seen += some.length;
        if (fresh.length === 0) continue;
        await file.assertUnchanged();
        const batch = new Batch(fresh, kind.creation ?? Object);
        await pause;
        const begun = performance.now();
        await this.store(kind, batch, { run, digest, report, progress, file });
        onBatch?.(progress.done, batch.refused);
        // The next batch is read meanwhile.
        pause = yieldToWriters(this.database, begun);
      }
    } finally {
      await report?.close();
    }
    return { run: run?.id, rows, resumedAt, ...progress };
  }

  /** Stores one batch, whole or not at all. */
  private async store(kind: AdminRecords, batch: Batch, import_: Context): Promise<void> {
    const { run, report, progress } = import_;
    const rejectsSize = report?.size ?? 0;
    let ids: bigint[] = [];
    try {
      await this.database.transaction(async () => {
        const results = await this.records.createMany(
          kind,
          batch.candidates.map(({ creation }) => creation),
        );
        ids = batch.settle(results);
        await report?.shrinkTo(rejectsSize);
        await report?.append(batch.refused);
        if (!run) throw new Rehearsed();
        await this.runs.advance(run, {
          rows: BigInt(progress.done + batch.rows.length),
          imported: BigInt(progress.imported + ids.length),
          refused: BigInt(progress.refused + batch.refused.length),
          rejectsSize: BigInt(report?.size ?? 0),
        });
        if (ids.length > 0) await this.record(kind, batch, ids, run, import_);
      });
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error;
    }
    progress.done += batch.rows.length;
    progress.imported += ids.length;
    progress.refused += batch.refused.length;
  }

  private record(
    { name }: AdminRecords,
    { rows, refused }: Batch,
    ids: readonly bigint[],
    run: HeldRun,
    { digest, file }: Context,
  ): Promise<bigint> {
    return this.audit.record({
      action: `${name}.import`,
      // Not a number, which would be the id of a record.
      subject: { type: name, id: `import:${run.id}` },
      after: {
        file: file.name,
        sha256: digest,
        firstLine: rows[0]?.line,
        lastLine: rows.at(-1)?.line,
        imported: ids.length,
        refused: refused.length,
        ids: idRanges(ids),
      },
    });
  }
}

/** What the batches of an import have in common. */
interface Context {
  readonly run: HeldRun | undefined;
  readonly digest: string;
  readonly report: RejectsFile | undefined;
  readonly progress: Progress;
  readonly file: ImportFile;
}

/** Rows that are stored in one transaction. */
class Batch {
  readonly candidates: Candidate[] = [];
  /** In the order of their lines, once the batch is settled. */
  refused: readonly Refusal[] = [];
  /** Those that were not even tried. */
  private readonly invalid: Refusal[] = [];

  constructor(
    readonly rows: readonly SourceRow[],
    creation: Type<object>,
  ) {
    for (const row of rows) {
      try {
        this.candidates.push({ row, creation: validate(creation, row.values()) });
      } catch (error) {
        if (!(error instanceof InvalidRowError || error instanceof InvalidRecordError)) throw error;
        this.invalid.push(refusalOf(row, error.message));
      }
    }
  }

  /**
   * Takes in what became of the candidates. The transaction may be run again, so nothing is left of the time before.
   *
   * @returns the ids of what was added
   */
  settle(results: readonly (bigint | AppError)[]): bigint[] {
    const ids: bigint[] = [];
    const refused = [...this.invalid];
    results.forEach((result, index) => {
      const { row } = this.candidates[index] as Candidate;
      if (result instanceof AppError) refused.push(refusalOf(row, result.message));
      else ids.push(result);
    });
    this.refused = refused.sort((a, b) => a.line - b.line);
    return ids;
  }
}

function contentOf({ name: kind }: AdminRecords, { format }: ImportFile, { digest }: FileScan): RunContent {
  return { kind, format, digest };
}

function refusalOf(row: SourceRow, reason: string): Refusal {
  return { line: row.line, reason, row: row.text() };
}
