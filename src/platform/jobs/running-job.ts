import type { Database } from '../database/database';
import { LEASE_MS } from './claimed-work';
import { writeBounded } from './job-arguments';
import type { JobProgress, JobRun } from './job-run';
import type { StoredRunsRepository } from './stored-runs.repository';
import type { StoredRun } from './stored-run.entity';
import { readData } from '../values/stored-data';

/** Milliseconds without a step after which a run counts as stuck. */
const STUCK_MS = 10 * 60_000;

/** Part of a lease after which a process that could not renew it gives up: before others may take the run. */
const LEASE_MARGIN = 0.9;

/** Reason for the end of a run that the database no longer gives to this process. */
export const LOST = 'The run was stopped, or another process has it.';

interface Progress {
  readonly cursor: unknown;
  readonly done: number;
  readonly total: number | undefined;
}

/** Ends a run that is to go on later, or elsewhere. */
export class JobInterruption extends Error {}

/** A run that this process has. */
export class RunningJob implements JobRun {
  readonly id = this.stored.id;
  attempt = this.stored.attempts;
  private readonly controller = new AbortController();
  private readonly leaseEnd = setTimeout(
    () => this.interrupt('The lease has ended: another process may have the run.'),
    LEASE_MS * LEASE_MARGIN,
  ).unref();
  private advancedAt = performance.now();
  private last: Progress = progressOf(this.stored);

  constructor(
    readonly stored: StoredRun,
    private readonly lockedBy: string,
    private readonly runs: StoredRunsRepository,
    private readonly database: Database,
  ) {}

  get cursor(): unknown {
    return this.last.cursor;
  }

  get done(): number {
    return this.last.done;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  async step<Result>(
    work: () => Promise<Result>,
    progress: JobProgress<unknown> | ((result: Result) => JobProgress<unknown>),
  ): Promise<Result> {
    this.signal.throwIfAborted();
    const [result, after] = await this.database.transaction(async () => {
      const worked = await work();
      const reached = this.after(typeof progress === 'function' ? progress(worked) : progress);
      await this.store(reached);
      return [worked, reached] as const;
    });
    this.last = after;
    this.attempt = 1;
    this.stored.error = null;
    this.advancedAt = performance.now();
    this.signal.throwIfAborted();
    return result;
  }

  private after({
    cursor = this.cursor,
    done = this.done,
    total = this.last.total,
  }: JobProgress<unknown>): Progress {
    return { cursor, done, total };
  }

  private async store({ cursor, done, total }: Progress): Promise<void> {
    const isOurs = await this.runs.advance(this.id, this.lockedBy, {
      cursor: cursor === undefined ? null : writeBounded(`The cursor of ${this.stored.job}`, cursor),
      done: BigInt(done),
      total: total === undefined ? null : BigInt(total),
    });
    if (isOurs) return;
    this.interrupt(LOST);
    this.signal.throwIfAborted();
  }

  /** Ends the run at its next step. */
  interrupt(reason: string): void {
    this.controller.abort(new JobInterruption(reason));
  }

  /** Notes that the lease is longer now, and looks whether the run gets on. */
  renewed(): void {
    this.leaseEnd.refresh();
    if (performance.now() - this.advancedAt > STUCK_MS) {
      this.controller.abort(new Error(`The job has made no step for ${STUCK_MS / 60_000} minutes.`));
    }
  }

  /** True if the run has to end, and is to go on later or elsewhere. */
  get isInterrupted(): boolean {
    return this.signal.reason instanceof JobInterruption;
  }

  /** Ends the watch over the lease. */
  close(): void {
    clearTimeout(this.leaseEnd);
  }
}

function progressOf({ cursor, done, total }: StoredRun): Progress {
  return {
    cursor: cursor === null ? undefined : readData(cursor),
    done: Number(done ?? 0),
    total: total === null ? undefined : Number(total),
  };
}
