import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { ImportFileArguments } from './import-file-job';
import { ImportJobs } from './import-jobs.service';
import { type ImportContent, ImportLedger } from './import-ledger.repository';
import type { ImportRun } from './import-run.entity';
import { rowsInWords } from './rows-in-words';
import { AlreadyImportedError, ImportInProgressError, ImportUndoneError } from './transfer.errors';

/** An import that this process begins or continues, and the run of the job in which it does. */
export interface HeldRun {
  readonly run: ImportRun;
  readonly job: bigint;
}

/**
 * Ensures that one process at a time imports a content, continues where the last one ended, and imports nothing twice unasked.
 */
@Injectable()
export class ImportRunsService {
  constructor(
    private readonly ledger: ImportLedger,
    private readonly jobs: ImportJobs,
    private readonly database: Database,
  ) {}

  /**
   * Begins the import of a content, or continues an unfinished one.
   *
   * @param again imports a content once more that was imported before
   * @throws ImportInProgressError, AlreadyImportedError or ImportUndoneError
   */
  begin(content: ImportContent, fileName: string, again: boolean): Promise<HeldRun> {
    return this.database.transaction(async () => {
      const run = await this.toContinue(content, fileName, again);
      const members = { recordType: run.kind, run: run.id, file: fileName };
      const job = await this.jobs.hold(run, run.job, { args: ImportFileArguments, members });
      if (job === undefined) throw new ImportInProgressError(fileName);
      return { run, job };
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
    if (latest && !latest.undoneAt) {
      if (latest.undoActor) throw new ImportUndoneError(fileName, latest.id);
      if (latest.finishedAt && !again)
        throw new AlreadyImportedError(`${whenImported(latest, fileName)} Nothing was changed.`);
      if (!latest.finishedAt) return latest;
    }
    const begun = await this.ledger.begin(content, fileName, (latest?.round ?? 0) + 1);
    if (!begun) throw new ImportInProgressError(fileName);
    return begun;
  }
}

function whenImported({ id, fileName, startedBy, finishedAt, imported }: ImportRun, name: string): string {
  const asWhat = fileName === name ? '' : ` as ${fileName}`;
  return `${name} was imported${asWhat} by ${startedBy}, until ${finishedAt?.toISOString()}: ${rowsInWords(imported)}, in run ${id}.`;
}
