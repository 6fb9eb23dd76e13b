import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Actor, actingAs } from '../security/actor';
import { Database } from '../database/database';
import { DatabaseClock } from '../database/database-clock';
import { SchemaReadiness } from '../database/schema/schema-state';
import { FaultLog } from '../logging/fault-log';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { ReadOnlyMode } from '../read-only/read-only-mode';
import { readData } from '../values/stored-data';
import { ClaimedWork, errorText } from './claimed-work';
import { jobArguments } from './job-arguments';
import { JobMethods } from './job-methods';
import type { JobRun } from './job-run';
import { PollLoop } from './poll-loop';
import { attemptsWithin, errorAfter, pauseAfter, reasonToEnd } from './retries';
import { LOST, RunningJob } from './running-job';
import type { StoredRun } from './stored-run.entity';
import { type RunOutcome, StoredRunsRepository } from './stored-runs.repository';

/** Most runs that one process has at a time. */
const MAX_RUNNING = 10;

/** Milliseconds that an idle process waits before it looks for runs that other processes have started or left. */
const POLL_MS = 1_000;

/** Work of a run; resolves to true when all is done, to false when it was stopped. */
type RunWork = (run: RunningJob) => Promise<boolean>;

/** The result of some work of a run, and whether all is done. */
export interface WorkDone<Result> {
  readonly result: Result;
  readonly isFinished: boolean;
}

/** Runs the methods with `@Job()` that were started, in every process that serves. Commands run none. */
@Injectable()
export class JobRunner implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly running = new Map<bigint, RunningJob>();
  private readonly work = new ClaimedWork<bigint>(this.clock, this.faults, (ids, lockedBy, lockedUntil) =>
    this.renew(ids, lockedBy, lockedUntil),
  );
  private readonly loop = new PollLoop(
    () => this.poll(),
    this.logger,
    'Jobs cannot run now; they will when the database is back.',
    POLL_MS,
  );

  constructor(
    private readonly methods: JobMethods,
    private readonly stored: StoredRunsRepository,
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly schema: SchemaReadiness,
    private readonly readOnly: ReadOnlyMode,
    private readonly faults: FaultLog,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Begins to run jobs; called once the process serves. Does nothing without jobs. */
  begin(): void {
    if (this.methods.byName.size > 0) this.loop.begin();
  }

  /** Ends the wait for the next poll, because a run has been stored. */
  wake(): void {
    this.loop.wake();
  }

  /** Takes a run for {@link runHere}, in the transaction that starts the job. */
  async hold(id: bigint): Promise<void> {
    await this.stored.hold(id, await this.work.lease());
  }

  /** True if a process seems to have a run. */
  async isHeld(id: bigint): Promise<boolean> {
    return this.stored.isHeld(id, await this.work.lease());
  }

  /**
   * Does the work of a run that this process holds, and waits for its end.
   *
   * @throws what the work throws
   */
  async runHere<Result>(id: bigint, work: (run: JobRun) => Promise<WorkDone<Result>>): Promise<Result> {
    const stored = await this.stored.findOne(id);
    if (!stored) throw new Error(`There is no run ${id}.`);
    const working: Promise<WorkDone<Result>>[] = [];
    await this.runClaimed(stored, async (run) => {
      const done = work(run);
      working.push(done);
      return (await done).isFinished;
    });
    const [{ result }] = (await Promise.all(working)) as [WorkDone<Result>];
    return result;
  }

  /** Ends runs at their next step while the last requests are served. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    for (const run of this.running.values()) run.interrupt('The process stops.');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.work.stop();
  }

  private async poll(): Promise<number> {
    if (this.readOnly.isOn) {
      for (const run of this.running.values()) run.interrupt('The service is in read-only mode.');
      return POLL_MS;
    }
    const jobs = this.jobsWithRoom();
    if (jobs.length === 0 || !(await this.schema.isCurrent())) return POLL_MS;
    const claimed = await this.stored.claim(jobs, [...this.running.keys()], await this.work.lease());
    if (!claimed) return POLL_MS;
    void this.runClaimed(claimed, (run) => this.call(run));
    return 0;
  }

  private runClaimed(claimed: StoredRun, work: RunWork): Promise<void> {
    const run = new RunningJob(claimed, this.work.lockedBy, this.stored, this.database);
    this.running.set(run.id, run);
    const ended = this.run(run, work);
    this.work.start([run.id], ended, () => this.wake());
    return ended;
  }

  private jobsWithRoom(): string[] {
    if (this.running.size >= MAX_RUNNING) return [];
    const running = [...this.running.values()].map(({ stored }) => stored.job);
    return [...this.methods.byName.values()]
      .filter(({ name, mark }) => running.filter((job) => job === name).length < mark.concurrency)
      .map(({ name }) => name);
  }

  private async renew(ids: readonly bigint[], lockedBy: string, lockedUntil: Date): Promise<void> {
    const kept = await this.stored.renew(ids, lockedBy, lockedUntil);
    for (const id of ids) {
      const run = this.running.get(id);
      if (kept.includes(id)) run?.renewed();
      else run?.interrupt(LOST);
    }
  }

  /** Runs a job, and stores the outcome; never throws. */
  private async run(run: RunningJob, work: RunWork): Promise<void> {
    const { stored } = run;
    try {
      await this.stored.giveBack(run.id, this.work.lockedBy, await this.attempt(run, work));
    } catch (error) {
      this.faults.warn(
        error,
        'The outcome of a job could not be written: it runs again from its last step.',
        {
          err: error,
          job: stored.job,
          run: String(run.id),
        },
      );
    } finally {
      run.close();
      this.running.delete(run.id);
    }
  }

  private async attempt(run: RunningJob, work: RunWork): Promise<RunOutcome> {
    try {
      const state = (await work(run)) ? 'finished' : 'stopped';
      return { state, endedAt: await this.clock.now(), error: null };
    } catch (error) {
      const now = await this.clock.now();
      return run.isInterrupted ? { attempts: run.attempt - 1, dueAt: now } : this.failure(run, error, now);
    }
  }

  private failure({ id, attempt, stored }: RunningJob, fault: unknown, now: Date): RunOutcome {
    const facts = { err: fault, job: stored.job, run: String(id), attempt };
    const error = errorText(fault);
    if (attempt >= this.maxAttempts(stored) || this.reasonToEnd(stored) !== undefined) {
      this.logger.error(facts, 'A job failed too often; it goes on when an operator retries it.');
      return { state: 'failed', endedAt: now, error };
    }
    this.logger.warn(facts, 'A job failed; it goes on from its last step later.');
    return { dueAt: new Date(now.getTime() + pauseAfter(attempt)), error: errorAfter(stored, error) };
  }

  private async call(run: RunningJob): Promise<boolean> {
    const { job, arguments: members, actor } = run.stored;
    const reason = this.reasonToEnd(run.stored);
    if (reason !== undefined) throw new Error(reason);
    const method = this.methods.byName.get(job);
    if (!method) throw new Error(`There is no job ${job}.`);
    const args = await jobArguments(method.mark.args, readData(members) as object);
    await actingAs(JSON.parse(actor) as Actor, () => method.run(args, run));
    return true;
  }

  private maxAttempts({ job }: StoredRun): number {
    return this.methods.byName.get(job)?.mark.maxAttempts ?? attemptsWithin();
  }

  private reasonToEnd(stored: StoredRun): string | undefined {
    return reasonToEnd(stored, this.maxAttempts(stored));
  }
}
