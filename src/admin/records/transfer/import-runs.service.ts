import { Injectable } from '@nestjs/common';
import { currentActor } from '../../../platform/audit/actor';
import { Database } from '../../../platform/database/database';
import { JobRunner } from '../../../platform/jobs/job-runner.service';
import { Jobs } from '../../../platform/jobs/jobs';
import type { ImportRun } from './import-run.entity';
import { ImportFileArguments } from './import-file-job';
import { ImportRunsRepository, type RunContent } from './import-runs.repository';
import { HELD_BY_NOBODY, HELD_FROM_OLDER, isHeldByOlder } from './older-versions';
import { rowsInWords } from './rows-in-words';
import { AlreadyImportedError, ImportInProgressError, ImportUndoneError } from './transfer.errors';

/** A run that this process continues. */
export interface HeldRun extends Readonly<
  Pick<ImportRun, 'id' | 'fileName' | 'rows' | 'imported' | 'refused' | 'rejectsSize'>
> {
  readonly job: bigint;
}

/**
 * Ensures that one process at a time imports a content, continues where the last one ended, and imports nothing twice unasked.
 */
@Injectable()
export class ImportRunsService {
  constructor(
    private readonly runs: ImportRunsRepository,
    private readonly jobs: Jobs,
    private readonly runner: JobRunner,
    private readonly database: Database,
  ) {}

  /**
   * Begins the import of a content, or continues an unfinished one.
   *
   * @param again imports a content once more that was imported before
   * @throws ImportInProgressError, AlreadyImportedError or ImportUndoneError
   */
  begin(content: RunContent, fileName: string, again: boolean): Promise<HeldRun> {
    return this.database.transaction(() => this.take(content, fileName, again));
  }

  /** Describes the last import of a content: its time, its file name and its actor; undefined if there is none that was not undone. */
  async lastImport(content: RunContent, fileName: string): Promise<string | undefined> {
    const latest = await this.runs.latest(content);
    return latest?.finishedAt && !latest.undoneAt ? whenImported(latest, fileName) : undefined;
  }

  /** Stores the progress of a run, in the transaction of the batch. */
  async advance(
    { id }: HeldRun,
    progress: Pick<ImportRun, 'rows' | 'imported' | 'refused' | 'rejectsSize'>,
  ): Promise<void> {
    await this.runs.change(id, progress);
  }

  /** Releases a run, and marks it if it is finished. */
  async end({ id }: HeldRun, isFinished: boolean): Promise<void> {
    await this.runs.change(id, { ...HELD_BY_NOBODY, ...(isFinished && { finishedAt: new Date() }) });
  }

  private async take(content: RunContent, fileName: string, again: boolean): Promise<HeldRun> {
    const latest = await this.runs.latestForUpdate(content);
    const isUndone = Boolean(latest?.undoneAt);
    if (latest?.undoActor && !isUndone) throw new ImportUndoneError(fileName, latest.id);
    if (latest?.finishedAt && !isUndone && !again)
      throw new AlreadyImportedError(`${whenImported(latest, fileName)} Nothing was changed.`);
    if (latest && !latest.finishedAt && !isUndone) {
      if (isHeldByOlder(latest)) throw new ImportInProgressError(fileName);
      return this.hold(latest, fileName);
    }
    const begun = await this.runs.insert(newRun(content, fileName, (latest?.round ?? 0) + 1));
    if (!begun) throw new ImportInProgressError(fileName);
    return this.hold(begun, fileName);
  }

  private async hold(run: ImportRun, name: string): Promise<HeldRun> {
    let { job } = run;
    let isHeld = job === null ? undefined : await this.runner.hold(job);
    if (job === null || isHeld === undefined) {
      job = await this.jobs.start(ImportFileArguments, { recordType: run.kind, run: run.id, file: name });
      isHeld = await this.runner.hold(job);
    }
    if (!isHeld) throw new ImportInProgressError(name);
    await this.runs.change(run.id, { job, ...HELD_FROM_OLDER });
    const { id, fileName, rows, imported, refused, rejectsSize } = run;
    return { id, fileName, rows, imported, refused, rejectsSize, job };
  }
}

function newRun(content: RunContent, fileName: string, round: number) {
  const nothing = { rows: 0n, imported: 0n, refused: 0n, rejectsSize: 0n };
  return {
    ...content,
    ...nothing,
    round,
    fileName,
    job: null,
    startedBy: currentActor().name,
    startedAt: new Date(),
    ...HELD_FROM_OLDER,
    finishedAt: null,
    undoActor: null,
    undone: null,
    leftAlone: null,
    undoneAt: null,
  };
}

function whenImported({ id, fileName, startedBy, finishedAt, imported }: ImportRun, name: string): string {
  const asWhat = fileName === name ? '' : ` as ${fileName}`;
  return `${name} was imported${asWhat} by ${startedBy}, until ${finishedAt?.toISOString()}: ${rowsInWords(imported)}, in run ${id}.`;
}
