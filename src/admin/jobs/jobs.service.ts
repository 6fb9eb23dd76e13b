import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { DatabaseClock } from '../../platform/database/database-clock';
import { EventHandlers } from '../../platform/events/event-handlers';
import { StoredEventsRepository } from '../../platform/events/stored-events.repository';
import { ScheduledJobsRepository } from '../../platform/jobs/scheduled-jobs.repository';
import { Scheduler } from '../../platform/jobs/scheduler.service';
import { ServiceModesRepository } from '../../platform/read-only/service-modes.repository';
import { currentActor } from '../../platform/security/actor';
import { EventInDeliveryError, EventNotFoundError, JobNotFoundError, JobNotPausedError } from './jobs.errors';
import { scheduleWords } from './schedule-words';

/** Time after which a run that was due and has not begun is overdue, in milliseconds. */
const OVERDUE_MS = 3_600_000;

/** A scheduled method. The members are stable: scripts read them. Times are ISO 8601 in UTC. */
export interface JobView {
  readonly name: string;
  /** The purpose in a few words; null if declared without. */
  readonly title: string | null;
  /** The cron pattern and its time zone. */
  readonly schedule: string;
  /** The schedule in words. */
  readonly times: string;
  readonly next: string;
  readonly isRunning: boolean;
  /** True if no process has begun the run that was due an hour ago: none serves, or none has the method. */
  readonly isOverdue: boolean;
  /** Time since which no process runs it, because an operator has paused it. */
  readonly pausedSince: string | null;
  readonly lastStart: string | null;
  readonly lastEnd: string | null;
  /** The error of the last run, if any. */
  readonly error: string | null;
}

/** The events that a handler has still to take. The members are stable. */
export interface HandlerView {
  readonly handler: string;
  /** True if this version of the service has the handler. */
  readonly isKnown: boolean;
  readonly waiting: number;
  readonly failed: number;
  /** Time at which the oldest of them was published. */
  readonly oldest: string | null;
}

/** An event that its handler has still to handle. The members are stable. */
export interface WaitingEventView {
  readonly id: bigint;
  readonly event: string;
  readonly handler: string;
  readonly subject: string | null;
  readonly published: string;
  /** Attempts begun so far. */
  readonly attempts: number;
  /** Time of the next attempt; null while the handler has the event, and behind another one of its subject. */
  readonly next: string | null;
  /** Id of the event of the same subject that comes first, if any. */
  readonly behind: bigint | null;
  /** The error of the last attempt, if any. */
  readonly error: string | null;
}

/** An event that its handler failed to handle. The members are stable. */
export interface FailedEventView {
  readonly id: bigint;
  readonly event: string;
  readonly handler: string;
  readonly subject: string | null;
  readonly published: string;
  readonly failed: string;
  readonly error: string | null;
}

/** Shows work without a request, and carries out what an operator decides about it. */
@Injectable()
export class JobsService {
  constructor(
    private readonly jobs: ScheduledJobsRepository,
    private readonly scheduler: Scheduler,
    private readonly modes: ServiceModesRepository,
    private readonly events: StoredEventsRepository,
    private readonly handlers: EventHandlers,
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly audit: AuditLog,
  ) {}

  /** Scheduled methods, by name. */
  async scheduled(): Promise<JobView[]> {
    const now = await this.clock.now();
    const jobs = await this.jobs.list();
    const paused = await this.modes.pausedJobs();
    return jobs.map(({ name, schedule, dueAt, lockedUntil, startedAt, finishedAt, error }) => {
      const isRunning = lockedUntil !== null && lockedUntil > now;
      return {
        name,
        title: this.scheduler.titleOf(name) ?? null,
        schedule,
        times: scheduleWords(schedule),
        next: dueAt.toISOString(),
        isRunning,
        isOverdue: !isRunning && !paused.has(name) && now.getTime() - dueAt.getTime() > OVERDUE_MS,
        pausedSince: paused.get(name)?.toISOString() ?? null,
        lastStart: startedAt?.toISOString() ?? null,
        lastEnd: finishedAt?.toISOString() ?? null,
        error,
      };
    });
  }

  /** Handlers of stored events, by name, including those that only another version has. */
  async backlogs(): Promise<HandlerView[]> {
    const known = this.handlers.durable;
    const found = await this.events.backlogs();
    const idle = [...known.keys()]
      .filter((name) => !found.some(({ handler }) => handler === name))
      .map((handler) => ({ handler, waiting: 0, failed: 0, oldest: undefined }));
    return [...found, ...idle]
      .map(({ oldest, ...counts }) => ({
        ...counts,
        isKnown: known.has(counts.handler),
        oldest: oldest?.toISOString() ?? null,
      }))
      .sort((a, b) => (a.handler < b.handler ? -1 : 1));
  }

  /** Events that are tried, or are to be, oldest first. */
  async waiting(limit: number): Promise<WaitingEventView[]> {
    const now = await this.clock.now();
    const events = await this.events.waiting(limit);
    // Those that are older are in the list too.
    const first = new Map<string, bigint>();
    return events.map((stored) => {
      const { id, event, handler, consumer, subject, publishedAt, attempts, dueAt, lockedUntil, error } =
        stored;
      const line = `${consumer} ${subject}`;
      const behind = (subject === null ? undefined : first.get(line)) ?? null;
      if (behind === null) first.set(line, id);
      const isHandled = lockedUntil !== null && lockedUntil > now;
      const next = isHandled || behind !== null ? null : dueAt.toISOString();
      const published = publishedAt.toISOString();
      return { id, event, handler, subject, published, attempts, next, behind, error };
    });
  }

  /** Events that are no longer retried, oldest first. */
  async failed(limit: number): Promise<FailedEventView[]> {
    const events = await this.events.failed(limit);
    return events.map(({ id, event, handler, subject, publishedAt, failedAt, error }) => ({
      id,
      event,
      handler,
      subject,
      published: publishedAt.toISOString(),
      failed: failedAt?.toISOString() ?? '',
      error,
    }));
  }

  /**
   * Schedules events for another try now.
   *
   * @param id the id of one event, failed or waiting; by default all whose handler has failed
   * @returns the number of events
   * @throws EventNotFoundError or EventInDeliveryError
   */
  retry(id?: bigint): Promise<number> {
    return this.database.transaction(async () => {
      const count = await this.events.retry(id);
      if (id !== undefined && count === 0) throw await this.untouchable(id);
      if (count > 0) await this.record('jobs.retry', id === undefined ? 'all' : String(id));
      return count;
    });
  }

  /** Counts the events that {@link retry} would retry. */
  countRetriable(id?: bigint): Promise<number> {
    return this.events.countRetriable(id);
  }

  /** Discards an event, failed or waiting. @throws EventNotFoundError or EventInDeliveryError */
  discard(id: bigint): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await this.events.discard(id))) throw await this.untouchable(id);
      await this.record('jobs.discard', String(id));
    });
  }

  /** Lets a process that serves run a scheduled method now. @throws JobNotFoundError */
  run(name: string): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await this.jobs.runNow(name))) throw new JobNotFoundError(name);
      await this.record('jobs.run', name);
    });
  }

  /** Keeps a scheduled job from running on any node until it is resumed. @throws JobNotFoundError */
  pause(name: string): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await this.jobs.list()).some((job) => job.name === name)) throw new JobNotFoundError(name);
      await this.modes.pauseJob(name, { since: new Date(), actor: currentActor().name, reason: null });
      await this.record('jobs.pause', name);
    });
  }

  /** Lets a paused job run again: at once if a run was due meanwhile. @throws JobNotPausedError */
  resume(name: string): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await this.modes.resumeJob(name))) throw new JobNotPausedError(name);
      await this.record('jobs.resume', name);
    });
  }

  private async untouchable(id: bigint): Promise<Error> {
    return (await this.events.findOne(id)) ? new EventInDeliveryError(id) : new EventNotFoundError(id);
  }

  private async record(action: string, id: string): Promise<void> {
    await this.audit.record({ action, subject: { type: 'jobs', id } });
  }
}
