import { Injectable, type OnApplicationShutdown, type OnModuleInit, type Type } from '@nestjs/common';
import { Database } from '../database/database';
import { DatabaseClock } from '../database/database-clock';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { EventDeliverer } from './event-deliverer.service';
import { type EventHandler, EventHandlers } from './event-handlers';
import { writeData } from '../values/stored-data';
import { StoredEventsRepository } from './stored-events.repository';

/**
 * Tells features of each other's changes. An event is an object of a class of its own; a feature that wants it marks a method
 * with `@OnEvent()`, which also says how reliably it is delivered. Stored events with the same `subject`, a string member,
 * reach a handler's class in order.
 */
@Injectable()
export class Events implements OnModuleInit, OnApplicationShutdown {
  private readonly running = new Set<Promise<unknown>>();

  constructor(
    private readonly handlers: EventHandlers,
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly stored: StoredEventsRepository,
    private readonly deliverer: EventDeliverer,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Finds the handlers ahead of what other modules publish when they begin: the modules that are global come first. */
  onModuleInit(): void {
    this.handlers.find();
  }

  /**
   * Delivers an event once the transaction in progress is committed, or at once outside one; never after a rollback.
   *
   * @throws Error outside a transaction, when a handler must not miss the event: see {@link transactionFor}
   */
  publish(event: object): void {
    const handlers = this.handlers.of(event.constructor);
    if (handlers.length === 0) return;
    for (const handler of handlers) {
      if (handler.mark.delivery === 'after-commit')
        this.database.afterCommit(() => this.deliver(handler, event));
      else this.publishInTransaction(handler, event);
    }
  }

  /**
   * Runs work that publishes an event, in a transaction if a handler must not miss the event. A service whose work runs in a
   * transaction anyway does not need this.
   */
  transactionFor<Result>(event: Type<object>, work: () => Promise<Result>): Promise<Result> {
    const isPlain = this.handlers.of(event).every(({ mark }) => mark.delivery === 'after-commit');
    return isPlain ? work() : this.database.transaction(work);
  }

  /** Lets running handlers finish: they may need the database, which closes after this. */
  async onApplicationShutdown(): Promise<void> {
    // A handler may publish events itself.
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private publishInTransaction(handler: EventHandler, event: object): void {
    if (!this.database.isInTransaction) {
      const { name } = event.constructor;
      throw new Error(
        `${name} must be published in a transaction, because ${handler.name} must not miss it: wrap the work in Events.transactionFor(${name}, ...).`,
      );
    }
    if (handler.mark.delivery === 'transaction') {
      this.database.beforeCommit(async () => void (await handler.run(event)));
      return;
    }
    this.database.beforeCommit(() => this.store(handler, event));
    this.database.afterCommit(() => this.deliverer.wake());
  }

  private async store({ name, owner }: EventHandler, event: object): Promise<void> {
    const { subject } = event as { readonly subject?: unknown };
    const now = await this.clock.now();
    await this.stored.insert({
      event: event.constructor.name,
      handler: name,
      consumer: owner,
      subject: typeof subject === 'string' ? subject : null,
      payload: writeData(event),
      publishedAt: now,
      attempts: 0,
      dueAt: now,
      lockedBy: null,
      lockedUntil: null,
      error: null,
      failedAt: null,
    });
  }

  private deliver(handler: EventHandler, event: object): void {
    const handled = this.run(handler, event).finally(() => this.running.delete(handled));
    this.running.add(handled);
  }

  /** Runs a handler. Logs its error, because the client has its response already. */
  private async run(handler: EventHandler, event: object): Promise<void> {
    try {
      await handler.run(event);
    } catch (error) {
      this.logger.error({ err: error, handler: handler.name }, 'A handler of an event failed.');
    }
  }
}
