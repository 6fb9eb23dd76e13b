import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Cron } from 'croner';
import { DatabaseClock } from '../database/database-clock';
import { SchemaReadiness } from '../database/schema/schema-state';
import { FaultLog } from '../logging/fault-log';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { ReadOnlyMode } from '../read-only/read-only-mode';
import { ServiceModesRepository } from '../read-only/service-modes.repository';
import { ClaimedWork, errorText } from './claimed-work';
import { type DecoratedMethod, DecoratedMethods } from './decorated-methods';
import { PollLoop } from './poll-loop';
import { type Schedule, schedulesOf } from './scheduled.decorator';
import type { ScheduledJob } from './scheduled-job.entity';
import { ScheduledJobsRepository } from './scheduled-jobs.repository';

/** Longest wait before a process looks for due jobs that another one has not run, in milliseconds. */
const POLL_MS = 5_000;

interface Job extends DecoratedMethod<Schedule> {
  readonly cron: Cron;
}

/** Runs the methods with `@Scheduled()` when they are due. A process runs none before {@link begin}. */
@Injectable()
export class Scheduler implements OnModuleInit, OnApplicationShutdown {
  private readonly jobs = new Map<string, Job>();
  private readonly work = new ClaimedWork<string>(this.clock, this.faults, (names, lockedBy, lockedUntil) =>
    this.stored.renew(names, lockedBy, lockedUntil),
  );
  private readonly loop = new PollLoop(
    () => this.startDue(),
    this.logger,
    'Scheduled jobs cannot run now; they will when the database is back.',
    POLL_MS,
  );
  private isPlanned = false;

  constructor(
    private readonly methods: DecoratedMethods,
    private readonly stored: ScheduledJobsRepository,
    private readonly clock: DatabaseClock,
    private readonly schema: SchemaReadiness,
    private readonly readOnly: ReadOnlyMode,
    private readonly modes: ServiceModesRepository,
    private readonly faults: FaultLog,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Finds the jobs.
   *
   * @throws Error when a pattern is not valid, or two methods have the same name
   */
  onModuleInit(): void {
    for (const method of this.methods.find(schedulesOf)) {
      if (this.jobs.has(method.name)) {
        throw new Error(`Two scheduled methods are called ${method.name}: rename a class or a method.`);
      }
      this.jobs.set(method.name, { ...method, cron: cronOf(method) });
    }
  }

  /** Names of the jobs that this version has. */
  get names(): ReadonlySet<string> {
    return new Set(this.jobs.keys());
  }

  /** Returns the title of a job, if its declaration in this version has one. */
  titleOf(name: string): string | undefined {
    return this.jobs.get(name)?.mark.title;
  }

  /** Begins to run jobs; called once the process serves. */
  begin(): void {
    if (this.jobs.size > 0) this.loop.begin();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.work.stop();
  }

  /**
   * Starts the jobs that are due.
   *
   * @returns milliseconds to wait before the next poll
   */
  private async startDue(): Promise<number> {
    if (!(await this.schema.isCurrent())) return POLL_MS;
    if (!this.isPlanned) await this.plan();
    let wait = POLL_MS;
    const now = await this.clock.now();
    const jobs = await this.stored.list();
    // Read after the due times: a job that was paused before it became due does not run.
    const paused = await this.modes.pausedJobs();
    for (const stored of jobs) {
      const job = this.jobs.get(stored.name);
      if (!job || this.work.has(job.name) || !this.mayRun(job) || paused.has(job.name)) continue;
      if (isTooLate(job, stored, now)) await this.stored.advance(job.name, stored.dueAt, nextRun(job, now));
      if (stored.dueAt > now) wait = Math.min(wait, stored.dueAt.getTime() - now.getTime());
      else await this.start(job, stored);
    }
    return wait;
  }

  private mayRun({ mark }: Job): boolean {
    return !this.readOnly.isOn || mark.runsInReadOnlyMode;
  }

  private async plan(): Promise<void> {
    const now = await this.clock.now();
    for (const job of this.jobs.values()) {
      await this.stored.plan(job.name, scheduleText(job.mark), nextRun(job, now));
    }
    this.isPlanned = true;
  }

  private async start(job: Job, { dueAt, lockedUntil }: ScheduledJob): Promise<void> {
    const lease = await this.work.lease();
    if (lockedUntil && lockedUntil > lease.now) return;
    if (!(await this.stored.claim(job.name, dueAt, lease))) return;
    this.work.start([job.name], this.run(job, dueAt));
  }

  /** Runs a job; never throws. */
  private async run(job: Job, claimed: Date): Promise<void> {
    let error: string | null = null;
    try {
      await job.run();
    } catch (fault) {
      error = errorText(fault);
      this.logger.error(
        { err: fault, job: job.name },
        'A scheduled job failed; it runs again at its next scheduled time.',
      );
    }
    try {
      const now = await this.clock.now();
      const outcome = { dueAt: nextRun(job, now), finishedAt: now, error };
      await this.stored.finish(job.name, this.work.lockedBy, claimed, outcome);
    } catch (fault) {
      this.faults.warn(fault, 'The outcome of a scheduled job could not be written: it runs again.', {
        err: fault,
        job: job.name,
      });
    }
  }
}

function cronOf({ name, mark }: DecoratedMethod<Schedule>): Cron {
  try {
    const cron = new Cron(mark.pattern, { timezone: mark.timeZone, paused: true });
    if (cron.nextRun()) return cron;
  } catch (cause) {
    throw new Error(`The schedule of ${name}, "${mark.pattern}" in ${mark.timeZone}, is not valid.`, {
      cause,
    });
  }
  throw new Error(`The schedule of ${name}, "${mark.pattern}", has no time in the future.`);
}

/** Recognizes a job that is planned later than its run after the next, as by a clock that was ahead. */
function isTooLate({ mark, cron }: Job, { schedule, dueAt }: ScheduledJob, now: Date): boolean {
  if (schedule !== scheduleText(mark)) return false;
  const next = cron.nextRun(now);
  const afterNext = next && cron.nextRun(next);
  return afterNext !== null && dueAt > afterNext;
}

function scheduleText({ pattern, timeZone }: Schedule): string {
  return `${pattern} ${timeZone}`;
}

function nextRun({ name, cron }: Job, now: Date): Date {
  const next = cron.nextRun(now);
  if (!next) throw new Error(`The schedule of ${name} has no time in the future.`);
  return next;
}
