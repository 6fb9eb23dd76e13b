import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/security/actor';
import { AuditLog } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { DatabaseClock } from '../../platform/database/database-clock';
import { JobMethods } from '../../platform/jobs/job-methods';
import type { StoredRun } from '../../platform/jobs/stored-run.entity';
import { type RunFilter, StoredRunsRepository } from '../../platform/jobs/stored-runs.repository';
import { RunInProgressError, RunNotFoundError, RunOverError } from './jobs.errors';

/** State of a run, as operators see it. */
export type RunStateView = 'waiting' | 'running' | 'stopping' | 'stopped' | 'failed' | 'finished';

/** A run of a job. The members are stable: scripts read them. Times are ISO 8601 in UTC. */
export interface RunView {
  readonly id: bigint;
  readonly job: string;
  /** The purpose in a few words; null if declared without. */
  readonly title: string | null;
  /** True if this version of the service has the job. */
  readonly isKnown: boolean;
  readonly state: RunStateView;
  /** Number of things done, if the job says it. */
  readonly done: bigint | null;
  /** Number of things to do, if the job says it. */
  readonly total: bigint | null;
  /** JSON of the arguments. */
  readonly arguments: string;
  /** Name of the actor who started it. */
  readonly startedBy: string;
  readonly started: string;
  /** Time of the last step. */
  readonly advanced: string | null;
  readonly ended: string | null;
  /** Attempts begun since the last step. */
  readonly attempts: number;
  /** Time of the next attempt, if it waits. */
  readonly next: string | null;
  /** The error of the last attempt, if it failed. */
  readonly error: string | null;
}

/** Shows the runs of jobs, and carries out what an operator decides about them. */
@Injectable()
export class JobRunsService {
  constructor(
    private readonly runs: StoredRunsRepository,
    private readonly methods: JobMethods,
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly audit: AuditLog,
  ) {}

  /** Runs of jobs, the newest first. */
  async list(filter: RunFilter, limit: number): Promise<RunView[]> {
    const runs = await this.runs.list(filter, limit);
    const now = await this.clock.now();
    return runs.map((run) => this.view(run, now));
  }

  /** Ends a run at its next step. @throws RunNotFoundError or RunOverError */
  async stop(id: bigint): Promise<void> {
    await this.decide(
      'jobs.stop',
      id,
      () => this.runs.stop(id),
      () => new RunOverError(id),
    );
  }

  /** Continues a run now that waits, has failed or was stopped. @throws RunNotFoundError, RunOverError or RunInProgressError */
  async retry(id: bigint): Promise<void> {
    await this.decide(
      'jobs.retry',
      id,
      () => this.runs.retry(id),
      ({ state }) => (state === 'finished' ? new RunOverError(id) : new RunInProgressError(id)),
    );
  }

  /** Deletes a run that no process has. @throws RunNotFoundError or RunInProgressError */
  async discard(id: bigint): Promise<void> {
    await this.decide(
      'jobs.discard',
      id,
      () => this.runs.discard(id),
      () => new RunInProgressError(id),
    );
  }

  private decide(
    action: string,
    id: bigint,
    work: () => Promise<boolean>,
    refusal: (run: StoredRun) => Error,
  ): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await work())) {
        const run = await this.runs.findOne(id);
        throw run ? refusal(run) : new RunNotFoundError(id);
      }
      await this.audit.record({ action, subject: { type: 'jobs', id: `run ${id}` } });
    });
  }

  private view(run: StoredRun, now: Date): RunView {
    const {
      id,
      job,
      done,
      total,
      arguments: args,
      createdAt,
      advancedAt,
      endedAt,
      attempts,
      dueAt,
      error,
    } = run;
    const state = stateOf(run, now);
    return {
      id,
      job,
      title: this.methods.byName.get(job)?.mark.title ?? null,
      isKnown: this.methods.byName.has(job),
      state,
      done,
      total,
      arguments: args,
      startedBy: (JSON.parse(run.actor) as Actor).name,
      started: createdAt.toISOString(),
      advanced: advancedAt?.toISOString() ?? null,
      ended: endedAt?.toISOString() ?? null,
      attempts,
      next: state === 'waiting' ? dueAt.toISOString() : null,
      error,
    };
  }
}

function stateOf({ state, lockedUntil }: StoredRun, now: Date): RunStateView {
  if (lockedUntil === null || lockedUntil < now) return state;
  return state === 'waiting' ? 'running' : 'stopping';
}
