import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual, Not } from 'typeorm';
import { Database } from '../database/database';
import { DatabaseClock } from '../database/database-clock';
import { EntityRepository } from '../database/entities/entity-repository';
import { hasEnded, type Lease } from './claimed-work';
import { ERROR_WHEN_CLAIMED } from './retries';
import { StoredRun } from './stored-run.entity';
import { unclaimed } from '../database/entities/unclaimed';

/** Progress of a run as it is stored. */
export type RunProgress = Pick<StoredRun, 'cursor' | 'done' | 'total'>;

/** End of an attempt as it is stored. */
export type RunOutcome = Partial<Pick<StoredRun, 'state' | 'error' | 'attempts' | 'dueAt' | 'endedAt'>>;

/** Conditions of a list of runs. */
export type RunFilter = Readonly<Partial<Pick<StoredRun, 'job' | 'state'>>>;

/** Runs of jobs in the database. */
@Injectable()
export class StoredRunsRepository extends EntityRepository<StoredRun> {
  constructor(
    database: Database,
    private readonly clock: DatabaseClock,
  ) {
    super(database, StoredRun);
  }

  /** Adds a run that waits for its first attempt. @returns its id */
  async add(started: Pick<StoredRun, 'job' | 'arguments' | 'actor'>): Promise<bigint> {
    const now = await this.clock.now();
    const { id } = await this.insert({
      ...started,
      state: 'waiting',
      attempts: 0,
      createdAt: now,
      dueAt: now,
      advancedAt: null,
      endedAt: null,
      lockedBy: null,
      lockedUntil: null,
      cursor: null,
      done: null,
      total: null,
      error: null,
    });
    return id;
  }

  /**
   * Takes the run that has been due for longest. No other process gets it before the lease ends.
   *
   * @param jobs names of the jobs that this process can run now
   * @param running ids of the runs that this process has: after its clock was set ahead, their leases look as if they had ended
   */
  async claim(
    jobs: readonly string[],
    running: readonly bigint[],
    { now, lockedBy, lockedUntil }: Lease,
  ): Promise<StoredRun | undefined> {
    const due = { state: 'waiting', job: In([...jobs]), dueAt: LessThanOrEqual(now) } as const;
    const next = await this.repository.findOne({
      where: unclaimed<StoredRun>({ ...due, id: Not(In([...running])) }, now),
      order: { dueAt: 'ASC', id: 'ASC' },
    });
    if (!next) return undefined;
    const { id, attempts } = next;
    const claimed = { lockedBy, lockedUntil, attempts: attempts + 1 };
    const { affected } = await this.repository.update(unclaimed<StoredRun>({ ...due, id, attempts }, now), {
      ...claimed,
      error: () => ERROR_WHEN_CLAIMED,
    });
    if (affected === 1) return (await this.findOne(id)) ?? undefined;
    // Another process was faster.
    return this.claim(jobs, running, { now, lockedBy, lockedUntil });
  }

  /** Gives a run to a process, in the transaction that adds the run. */
  async hold(id: bigint, { lockedBy, lockedUntil }: Lease): Promise<void> {
    await this.repository.update({ id }, { lockedBy, lockedUntil, attempts: 1 });
  }

  /** True if a process seems to have a run. */
  async isHeld(id: bigint, { now, lockedBy }: Lease): Promise<boolean> {
    const run = await this.findOne(id);
    if (!run || run.lockedBy === null || run.lockedUntil === null || run.lockedUntil < now) return false;
    return run.lockedBy === lockedBy || !hasEnded(run.lockedBy);
  }

  /**
   * Extends the leases of runs.
   *
   * @returns ids of those that are to go on: that this process has still, and that nobody has stopped
   */
  async renew(ids: readonly bigint[], lockedBy: string, lockedUntil: Date): Promise<bigint[]> {
    await this.repository.update({ id: In([...ids]), lockedBy }, { lockedUntil });
    const left = await this.repository.find({
      select: { id: true },
      where: { id: In([...ids]), lockedBy, state: 'waiting' },
    });
    return left.map(({ id }) => id);
  }

  /** Stores progress; returns false if another process has the run, or somebody has stopped it. */
  async advance(id: bigint, lockedBy: string, progress: RunProgress): Promise<boolean> {
    const advancedAt = await this.clock.now();
    const values = { ...progress, advancedAt, attempts: 1, error: null };
    const { affected } = await this.repository.update({ id, lockedBy, state: 'waiting' }, values);
    return affected === 1;
  }

  /** Stores the end of an attempt, and gives the run back. One that was stopped meanwhile stays so, unless it is finished. */
  async giveBack(id: bigint, lockedBy: string, outcome: RunOutcome): Promise<void> {
    const released = { lockedBy: null, lockedUntil: null };
    const state = outcome.state === 'finished' ? In(['waiting', 'stopped']) : 'waiting';
    await this.repository.update({ id, lockedBy, state }, { ...outcome, ...released });
    await this.repository.update({ id, lockedBy }, released);
  }

  /** Returns runs, the newest first. */
  list(where: RunFilter, limit: number): Promise<StoredRun[]> {
    return this.repository.find({ where, order: { id: 'DESC' }, take: limit });
  }

  /**
   * Stops a run: no step of it is stored any more.
   *
   * @param error the reason, for operators, if it is not their own
   * @returns true if it was not over
   */
  async stop(id: bigint, error?: string): Promise<boolean> {
    const endedAt = await this.clock.now();
    const { affected } = await this.repository.update(
      { id, state: 'waiting' },
      { state: 'stopped', endedAt, ...(error !== undefined && { error }) },
    );
    return affected === 1;
  }

  /** Continues a run now that waits, has failed or was stopped, unless a process has it. @returns true if there is one */
  async retry(id: bigint): Promise<boolean> {
    const now = await this.clock.now();
    const { affected } = await this.repository.update(
      unclaimed<StoredRun>({ id, state: Not('finished') }, now),
      {
        state: 'waiting',
        attempts: 0,
        dueAt: now,
        endedAt: null,
        error: null,
      },
    );
    return affected === 1;
  }

  /** Deletes a run, unless a process has it. @returns true if it was deleted */
  async discard(id: bigint): Promise<boolean> {
    const { affected } = await this.repository.delete(unclaimed<StoredRun>({ id }, await this.clock.now()));
    return affected === 1;
  }
}
