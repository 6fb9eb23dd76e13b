import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pTimeout from 'p-timeout';
import { SchemaReadiness } from '../database/schema-state';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { EventHandlers } from './event-handlers';
import { EventMetrics } from './event-metrics';
import { readEvent } from './event-payload';
import { type ClaimedEvent, StoredEventsRepository } from './stored-events.repository';

/** Handlers of stored events that one process runs at a time. */
const MAX_RUNNING = 20;

/** How long a process that has nothing to do waits before it asks what other processes have stored, in milliseconds. */
const POLL_MS = 500;

/** How long after its last sign of life a process counts as dead, in milliseconds. */
const LEASE_MS = 15_000;

/** How often an event is tried; then an operator decides. With the pauses between, that takes about an hour. */
const MAX_ATTEMPTS = 15;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10 * 60_000;

/** Characters of an error that are stored. */
const MAX_ERROR_LENGTH = 1_000;

/** How long a stop waits for handlers, in milliseconds. What they have not finished, another process does. */
const STOP_LIMIT_MS = 5_000;

/** Hands stored events to their handlers, in every process that serves. Tests and commands do so only when they say {@link begin}. */
@Injectable()
export class EventDeliverer implements OnApplicationShutdown {
  private readonly lockedBy = randomUUID();
  private readonly running = new Map<bigint, Promise<void>>();
  private woken = Promise.withResolvers<void>();
  private looking: Promise<void> | undefined;
  private renewal: NodeJS.Timeout | undefined;
  private isStopping = false;
  private isFailing = false;

  constructor(
    private readonly handlers: EventHandlers,
    private readonly stored: StoredEventsRepository,
    private readonly schema: SchemaReadiness,
    private readonly metrics: EventMetrics,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Begins to deliver; to be called once the process serves. Without durable handlers there is nothing to do. */
  begin(): void {
    if (this.handlers.durable.size === 0 || this.looking) return;
    this.looking = this.look();
    this.renewal = setInterval(() => void this.renew(), LEASE_MS / 3).unref();
  }

  /** Says that an event has been stored, so that it is not waited for. */
  wake(): void {
    this.woken.resolve();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.wake();
    await this.looking;
    await pTimeout(Promise.all(this.running.values()), { milliseconds: STOP_LIMIT_MS, message: false });
    clearInterval(this.renewal);
  }

  private async look(): Promise<void> {
    while (!this.isStopping) {
      // Renewed before the look: what is stored during it ends the wait after it.
      this.woken = Promise.withResolvers<void>();
      const claimed = await this.claim();
      for (const event of claimed) this.start(event);
      if (claimed.length === 0) {
        await pTimeout(this.woken.promise, { milliseconds: POLL_MS, message: false });
      }
    }
  }

  private async claim(): Promise<ClaimedEvent[]> {
    const room = MAX_RUNNING - this.running.size;
    if (room === 0) return [];
    try {
      if (!(await this.schema.isCurrent())) return [];
      const now = new Date();
      const claim = { lockedBy: this.lockedBy, now, lockedUntil: new Date(now.getTime() + LEASE_MS) };
      const claimed = await this.stored.claim([...this.handlers.durable.keys()], room, claim);
      this.isFailing = false;
      return claimed;
    } catch (error) {
      if (!this.isFailing) {
        this.logger.warn(
          { err: error },
          'Stored events cannot be delivered now; they are when the database is back.',
        );
      }
      this.isFailing = true;
      return [];
    }
  }

  private start(event: ClaimedEvent): void {
    const run = this.deliver(event).finally(() => {
      this.running.delete(event.id);
      this.wake();
    });
    this.running.set(event.id, run);
  }

  /** Never throws. */
  private async deliver(event: ClaimedEvent): Promise<void> {
    const { id, attempts } = event;
    try {
      const failure = await this.handle(event);
      if (!failure) {
        await this.stored.finish(id, this.lockedBy);
        this.metrics.count('delivered');
        return;
      }
      const { error } = failure;
      const isLast = attempts >= MAX_ATTEMPTS;
      const now = Date.now();
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
          'A handler of a stored event failed too often and is not called again for it.',
        );
      } else this.logger.warn(facts, 'A handler of a stored event failed; it is called again later.');
      await this.stored.giveBack(id, this.lockedBy, {
        error: String(error).slice(0, MAX_ERROR_LENGTH),
        dueAt: new Date(now + pauseAfter(attempts)),
        failedAt: isLast ? new Date(now) : null,
      });
      this.metrics.count(isLast ? 'failed' : 'retried');
    } catch (error) {
      // The database is away: the event is delivered again when the claim has ended.
      this.logger.warn(
        { err: error, delivery: String(id) },
        'The outcome of a stored event could not be written.',
      );
    }
  }

  /** @returns what the handler threw; undefined when it succeeded */
  private async handle({
    id,
    handler: name,
    payload,
    attempts,
  }: ClaimedEvent): Promise<{ error: unknown } | undefined> {
    const handler = this.handlers.durable.get(name);
    try {
      // The processes that ended during it may have ended because of it.
      if (attempts > MAX_ATTEMPTS) throw new Error(`The process has ended during ${attempts - 1} attempts.`);
      if (!handler) throw new Error(`There is no handler ${name}.`);
      await handler.run(readEvent(payload, handler.mark.event), { id: String(id), attempt: attempts });
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  private async renew(): Promise<void> {
    const ids = [...this.running.keys()];
    if (ids.length === 0) return;
    try {
      await this.stored.renew(ids, this.lockedBy, new Date(Date.now() + LEASE_MS));
    } catch (error) {
      this.logger.warn({ err: error }, 'The claim of stored events could not be renewed.');
    }
  }
}

/** Milliseconds until the next attempt: twice as long each time, and a part of it by chance, so that many do not come at once. */
function pauseAfter(attempts: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return pause * (0.75 + Math.random() / 4);
}
