import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseClock } from '../database/database-clock';
import { SchemaReadiness } from '../database/schema/schema-state';
import { FaultLog } from '../logging/fault-log';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { ClaimedWork, errorText } from '../jobs/claimed-work';
import { PollLoop } from '../jobs/poll-loop';
import { attemptsWithin, errorAfter, pauseAfter, reasonToEnd } from '../jobs/retries';
import { ReadOnlyMode } from '../read-only/read-only-mode';
import { EventHandlers } from './event-handlers';
import { EventMetrics } from './event-metrics';
import { instanceWith, readData } from '../values/stored-data';
import { type ClaimedEvent, StoredEventsRepository } from './stored-events.repository';

/** Most handlers of stored events that one process runs at a time. */
const MAX_RUNNING = 20;

/** Most events of one subject that a process takes at a time: a claim costs as much as several deliveries. */
const MAX_OF_SUBJECT = 50;

/** Milliseconds that an idle process waits before it asks for events that other processes have stored. */
const POLL_MS = 500;

/** Hands stored events to their handlers, in every process that serves. Tests and commands do so only after {@link begin}. */
@Injectable()
export class EventDeliverer implements OnApplicationShutdown {
  private readonly work = new ClaimedWork<bigint>(this.clock, this.faults, (ids, lockedBy, lockedUntil) =>
    this.stored.renew(ids, lockedBy, lockedUntil),
  );
  private readonly loop = new PollLoop(
    () => this.poll(),
    this.logger,
    'Stored events cannot be delivered now; they will be when the database is back.',
    POLL_MS,
  );

  constructor(
    private readonly handlers: EventHandlers,
    private readonly stored: StoredEventsRepository,
    private readonly clock: DatabaseClock,
    private readonly schema: SchemaReadiness,
    private readonly readOnly: ReadOnlyMode,
    private readonly metrics: EventMetrics,
    private readonly faults: FaultLog,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Begins to deliver; called once the process serves. Does nothing without durable handlers. */
  begin(): void {
    if (this.handlers.durable.size > 0) this.loop.begin();
  }

  /** Ends the wait for the next poll, because an event has been stored. */
  wake(): void {
    this.loop.wake();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.work.stop();
  }

  private async poll(): Promise<number> {
    // After the clock was set ahead, a lease of this process looks as if it had ended.
    const claimed = (await this.claim()).filter((events) => !events.some(({ id }) => this.work.has(id)));
    for (const events of claimed) {
      const ids = events.map(({ id }) => id);
      this.work.start(ids, this.deliverInOrder(events), () => this.wake());
    }
    return claimed.length === 0 ? POLL_MS : 0;
  }

  private async claim(): Promise<ClaimedEvent[][]> {
    const room = MAX_RUNNING - this.work.size;
    if (room === 0 || this.readOnly.isOn || !(await this.schema.isCurrent())) return [];
    const handlers = [...this.handlers.durable.keys()];
    return this.stored.claim(
      handlers,
      { subjects: room, ofSubject: MAX_OF_SUBJECT },
      await this.work.lease(),
    );
  }

  /** Delivers the events of a subject until one fails or the process stops, and leaves the rest to a later claim; never throws. */
  private async deliverInOrder(events: readonly ClaimedEvent[]): Promise<void> {
    for (const [index, event] of events.entries()) {
      if (this.loop.isStopping) return this.leave(events.slice(index));
      if (!(await this.deliver(event))) return this.leave(events.slice(index + 1));
    }
  }

  /**
   * Delivers an event; never throws.
   *
   * @returns true if its handler has succeeded, and this process was the one to say so
   */
  private async deliver(event: ClaimedEvent): Promise<boolean> {
    const { id, attempts } = event;
    try {
      const failure = await this.handle(event);
      if (!failure) {
        const isOurs = await this.stored.finish(id, this.work.lockedBy);
        this.metrics.count('delivered');
        return isOurs;
      }
      const { error } = failure;
      const isLast = this.reasonToEnd(event) !== undefined || attempts >= this.maxAttempts(event);
      const now = await this.clock.now();
      const facts = {
        err: error,
        handler: event.handler,
        event: event.event,
        delivery: String(id),
        attempt: attempts,
      };
      if (isLast) {
        this.logger.error(
          facts,
          'A handler of a stored event failed too often and will not be called for it again.',
        );
      } else this.logger.warn(facts, 'A handler of a stored event failed; it will be called again later.');
      await this.stored.giveBack(id, this.work.lockedBy, {
        error: isLast ? errorText(error) : errorAfter(event, errorText(error)),
        dueAt: new Date(now.getTime() + pauseAfter(attempts)),
        failedAt: isLast ? now : null,
      });
      this.metrics.count(isLast ? 'failed' : 'retried');
    } catch (error) {
      // The database is away: the event is delivered again when the lease has ended.
      this.faults.warn(error, 'The outcome of a stored event could not be written.', {
        err: error,
        delivery: String(id),
      });
    }
    return false;
  }

  /** Gives back events that this process has claimed and will not begin; never throws. */
  private async leave(events: readonly ClaimedEvent[]): Promise<void> {
    if (events.length === 0) return;
    try {
      await this.stored.release(
        events.map(({ id }) => id),
        this.work.lockedBy,
      );
    } catch (error) {
      this.faults.warn(
        error,
        'Stored events could not be given back; they are delivered when their lease ends.',
      );
    }
  }

  /**
   * Runs the handler of a stored event.
   *
   * @returns the error of the handler; undefined when it succeeded
   */
  private async handle(claimed: ClaimedEvent): Promise<{ error: unknown } | undefined> {
    const { id, handler: name, payload, attempts } = claimed;
    const handler = this.handlers.durable.get(name);
    try {
      const reason = this.reasonToEnd(claimed);
      if (reason !== undefined) throw new Error(reason);
      if (!handler) throw new Error(`There is no handler ${name}.`);
      await handler.run(instanceWith(handler.mark.event, readData(payload) as object), {
        id: String(id),
        attempt: attempts,
      });
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  private maxAttempts({ handler }: ClaimedEvent): number {
    return this.handlers.durable.get(handler)?.mark.maxAttempts ?? attemptsWithin();
  }

  private reasonToEnd(event: ClaimedEvent): string | undefined {
    return reasonToEnd(event, this.maxAttempts(event));
  }
}
