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

/** Ends a run that is to go on later, or elsewhere. */
class JobInterruption extends Error {}

/** A run that this process has. */
export class RunningJob implements JobRun {
  readonly id = this.stored.id;
  readonly attempt = this.stored.attempts;
  /** Attempts begun since the last progress. */
  attempts = this.stored.attempts;
  cursor: unknown = this.stored.cursor === null ? undefined : readData(this.stored.cursor);
  done = Number(this.stored.done ?? 0);
  private total = this.stored.total;
  private readonly controller = new AbortController();
  private readonly leaseEnd = setTimeout(
    () => this.interrupt('The lease has ended: another process may have the run.'),
    LEASE_MS * LEASE_MARGIN,
  ).unref();
  private advancedAt = performance.now();

  constructor(
    readonly stored: StoredRun,
    private readonly lockedBy: string,
    private readonly runs: StoredRunsRepository,
    private readonly database: Database,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  async step(work: () => Promise<unknown>, progress: JobProgress<unknown>): Promise<void> {
    this.signal.throwIfAborted();
    const { cursor, done = this.done, total } = progress;
    const stored = {
      cursor: writeBounded(`The cursor of ${this.stored.job}`, cursor),
      done: BigInt(done),
      total: total === undefined ? this.total : BigInt(total),
    };
    await this.database.transaction(async () => {
      await work();
      if (await this.runs.advance(this.id, this.lockedBy, stored)) return;
      this.interrupt('The run was stopped, or another process has it.');
      this.signal.throwIfAborted();
    });
    this.attempts = 1;
    this.total = stored.total;
    this.cursor = cursor;
    this.done = done;
    this.advancedAt = performance.now();
    this.signal.throwIfAborted();
  }

  /** Has the run end at its next step. */
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
