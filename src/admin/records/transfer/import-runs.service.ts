import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { ImportFile } from './import-file';
import { ImportFiles } from './import-files.repository';
import { ImportJobs } from './import-jobs.service';
import { type ImportContent, ImportLedger } from './import-ledger.repository';
import type { ImportRun } from './import-run.entity';
import { rowsInWords } from './rows-in-words';
import { AlreadyImportedError, ImportInProgressError, ImportUndoneError } from './transfer.errors';

/** Arguments of the job that makes an import. */
export class ImportArguments {
  readonly recordType!: string;
  /** Number of the import. */
  readonly run!: bigint;
  /** Rows of its file. */
  readonly rows!: number;
}

/** An import that this process makes, and the run of the job in which it does. */
export interface StartedRun {
  readonly id: bigint;
  readonly job: bigint;
}

/**
 * Ensures that one process at a time imports a content, continues where the last one ended, and imports nothing twice unasked.
 */
@Injectable()
export class ImportRunsService {
  constructor(
    private readonly ledger: ImportLedger,
    private readonly files: ImportFiles,
    private readonly jobs: ImportJobs,
    private readonly database: Database,
  ) {}

  /**
   * Stores a file, and begins its import or continues an unfinished one.
   *
   * @param again imports a content once more that was imported before
   * @throws ImportInProgressError, AlreadyImportedError, ImportUndoneError or FileChangedError
   */
  async begin(
    file: ImportFile,
    content: ImportContent,
    { rows, again }: { rows: number; again: boolean },
  ): Promise<StartedRun> {
    const begun = await this.database.transaction(() => this.toContinue(content, file.name, again));
    await this.files.store(begun, file);
    return this.database.transaction(async () => {
      const run = (await this.ledger.findForUpdate(begun.id)) ?? begun;
      await this.assertOpen(run, file.name);
      const members = { recordType: run.kind, run: run.id, rows };
      return { id: run.id, job: await this.jobs.startHere(run, { args: ImportArguments, members }) };
    });
  }

  /** Describes the last import of a content: its time, its file name and its actor; undefined if there is none that was not undone. */
  async lastImport(content: ImportContent, fileName: string): Promise<string | undefined> {
    const latest = await this.ledger.latest(content);
    return latest?.finishedAt && !latest.undoneAt ? whenImported(latest, fileName) : undefined;
  }

  /** The unfinished import of a content, or a new one. */
  private async toContinue(content: ImportContent, fileName: string, again: boolean): Promise<ImportRun> {
    const latest = await this.ledger.latestForUpdate(content);
    const isOver = latest?.undoneAt ?? (again && !latest?.undoActor && latest?.finishedAt);
    if (latest && !isOver) {
      await this.assertOpen(latest, fileName);
      return latest;
    }
    const begun = await this.ledger.begin(content, fileName, (latest?.round ?? 0) + 1);
    if (!begun) throw new ImportInProgressError(fileName);
    return begun;
  }

  /** Ensures that an import waits for a process to make it, or to go on with it. */
  private async assertOpen(run: ImportRun, fileName: string): Promise<void> {
    if (run.undoActor) throw new ImportUndoneError(fileName, run.id);
    if (run.finishedAt) throw new AlreadyImportedError(`${whenImported(run, fileName)} Nothing was changed.`);
    if (await this.jobs.isHeld(run)) throw new ImportInProgressError(fileName);
  }
}

function whenImported({ id, fileName, startedBy, finishedAt, imported }: ImportRun, name: string): string {
  const asWhat = fileName === name ? '' : ` as ${fileName}`;
  return `${name} was imported${asWhat} by ${startedBy}, until ${finishedAt?.toISOString()}: ${rowsInWords(imported)}, in run ${id}.`;
}
