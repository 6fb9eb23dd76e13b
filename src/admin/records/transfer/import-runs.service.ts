import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { currentActor } from '../../../platform/audit/actor';
import { Database } from '../../../platform/database/database';
import { isRunning } from '../../../platform/workers/is-running';
import type { ImportRun } from './import-run.entity';
import { ImportRunsRepository, type RunContent, type RunProgress } from './import-runs.repository';
import { AlreadyImportedError, ImportInProgressError, ImportTakenOverError } from './transfer.errors';

/** Time after a batch for which a process is trusted to continue its import, in milliseconds. A batch takes milliseconds. */
const SILENCE_MS = 60_000;

/** Holders of the imports that run in this process. */
const own = new Set<string>();

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
   * @throws ImportInProgressError or AlreadyImportedError
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

  /** Describes the last import of a content: its time, its file name and its actor; undefined if it was never imported. */
  async lastImport(content: RunContent, fileName: string): Promise<string | undefined> {
    const latest = await this.runs.latest(content);
    return latest?.finishedAt ? whenImported(latest, fileName) : undefined;
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
    if (latest?.finishedAt && !again)
      throw new AlreadyImportedError(`${whenImported(latest, fileName)} Nothing was changed.`);
    if (!latest || latest.finishedAt) {
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
  };
}

function whenImported({ id, fileName, startedBy, finishedAt, imported }: ImportRun, name: string): string {
  const asWhat = fileName === name ? '' : ` as ${fileName}`;
  return `${name} was imported${asWhat} by ${startedBy}, until ${finishedAt?.toISOString()}: ${imported.toLocaleString('en')} rows, in run ${id}.`;
}

/** Creates a holder for one import in this process: host, process id, and a unique part. */
function newHolder(): string {
  const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
  own.add(holder);
  return holder;
}

/** Removes a holder: its import no longer runs. */
function dropHolder(holder: string): void {
  own.delete(holder);
}

/** Time until which a holder is trusted that has just stored something. */
function heldUntil(): Date {
  return new Date(Date.now() + SILENCE_MS);
}

/**
 * True if a process still seems to work on a run. The end of a process on this machine is noticed at once, that of a process on
 * another machine only by its silence. A wrong guess imports no row twice: every batch checks that the run still belongs to its
 * process.
 */
function isHeld({ holder, heldUntil: until }: Pick<ImportRun, 'holder' | 'heldUntil'>): boolean {
  if (holder === null || until.getTime() < Date.now()) return false;
  const [host, pid] = holder.split(' ');
  if (host !== hostname()) return true;
  return Number(pid) === process.pid ? own.has(holder) : isRunning(Number(pid));
}
