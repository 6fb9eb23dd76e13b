import { Injectable } from '@nestjs/common';
import { currentActor } from '../../../platform/audit/actor';
import { Database } from '../../../platform/database/database';
import type { ImportRun } from './import-run.entity';
import { ImportRunsRepository, type RunContent, type RunProgress } from './import-runs.repository';
import { dropHolder, heldUntil, isHeld, newHolder } from './run-holders';
import {
  AlreadyImportedError,
  ImportInProgressError,
  ImportTakenOverError,
  ImportUndoneError,
} from './transfer.errors';

/** A run that this process continues. */
export interface HeldRun extends Readonly<
  Pick<ImportRun, 'id' | 'fileName' | 'rows' | 'imported' | 'refused' | 'rejectsSize'>
> {
  readonly holder: string;
}

/**
 * Ensures that one process at a time imports a content, continues where the last one ended, and imports nothing twice unasked.
 */
@Injectable()
export class ImportRunsService {
  constructor(
    private readonly runs: ImportRunsRepository,
    private readonly database: Database,
  ) {}

  /**
   * Begins the import of a content, or continues an unfinished one.
   *
   * @param again imports a content once more that was imported before
   * @throws ImportInProgressError, AlreadyImportedError or ImportUndoneError
   */
  async begin(content: RunContent, fileName: string, again: boolean): Promise<HeldRun> {
    const holder = newHolder();
    try {
      return await this.database.transaction(() => this.take(content, fileName, again, holder));
    } catch (error) {
      dropHolder(holder);
      throw error;
    }
  }

  /** Describes the last import of a content: its time, its file name and its actor; undefined if there is none that was not undone. */
  async lastImport(content: RunContent, fileName: string): Promise<string | undefined> {
    const latest = await this.runs.latest(content);
    return latest?.finishedAt && !latest.undoneAt ? whenImported(latest, fileName) : undefined;
  }

  /**
   * Stores the progress of a run, in the transaction of the batch.
   *
   * @throws ImportTakenOverError
   */
  async advance(
    run: HeldRun,
    progress: Pick<RunProgress, 'rows' | 'imported' | 'refused' | 'rejectsSize'>,
  ): Promise<void> {
    const isOwn = await this.runs.change(run.id, run.holder, { ...progress, heldUntil: heldUntil() });
    if (!isOwn) throw new ImportTakenOverError(run.fileName);
  }

  /** Releases a run, and marks it if it is finished. */
  async end(run: HeldRun, isFinished: boolean): Promise<void> {
    dropHolder(run.holder);
    await this.runs.change(run.id, run.holder, {
      holder: null,
      ...(isFinished && { finishedAt: new Date() }),
    });
  }

  private async take(
    content: RunContent,
    fileName: string,
    again: boolean,
    holder: string,
  ): Promise<HeldRun> {
    const latest = await this.runs.latest(content);
    const isUndone = Boolean(latest?.undoneAt);
    if (latest?.undoActor && !isUndone) throw new ImportUndoneError(fileName, latest.id);
    if (latest?.finishedAt && !isUndone && !again)
      throw new AlreadyImportedError(`${whenImported(latest, fileName)} Nothing was changed.`);
    if (!latest || latest.finishedAt || isUndone) {
      const begun = await this.runs.insert(newRun(content, fileName, (latest?.round ?? 0) + 1, holder));
      if (!begun) throw new ImportInProgressError(fileName);
      return held(begun, holder);
    }
    const isTaken =
      !isHeld(latest) &&
      (await this.runs.change(latest.id, latest.holder, { holder, heldUntil: heldUntil() }));
    if (!isTaken) throw new ImportInProgressError(fileName);
    return held(latest, holder);
  }
}

function held({ id, fileName, rows, imported, refused, rejectsSize }: ImportRun, holder: string): HeldRun {
  return { id, fileName, rows, imported, refused, rejectsSize, holder };
}

function newRun(content: RunContent, fileName: string, round: number, holder: string) {
  const nothing = { rows: 0n, imported: 0n, refused: 0n, rejectsSize: 0n };
  return {
    ...content,
    ...nothing,
    round,
    fileName,
    holder,
    startedBy: currentActor().name,
    startedAt: new Date(),
    heldUntil: heldUntil(),
    finishedAt: null,
    undoActor: null,
    undone: null,
    leftAlone: null,
    undoneAt: null,
  };
}

function whenImported({ id, fileName, startedBy, finishedAt, imported }: ImportRun, name: string): string {
  const asWhat = fileName === name ? '' : ` as ${fileName}`;
  return `${name} was imported${asWhat} by ${startedBy}, until ${finishedAt?.toISOString()}: ${imported.toLocaleString('en')} rows, in run ${id}.`;
}
