import { Injectable, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { EventEmitter2, OnEvent } from '@nestjs/event-emitter';
import { Database } from '../database/database';

/**
 * Tells features of each other's changes, within this process. An event is an object of a class of its own; a feature that wants it
 * marks a method with {@link AfterCommit}. Nothing is kept: what must not be lost belongs into the transaction itself.
 */
@Injectable()
export class Events implements OnApplicationShutdown {
  private readonly running = new Set<Promise<unknown>>();

  constructor(
    private readonly emitter: EventEmitter2,
    private readonly database: Database,
  ) {}

  /** Delivers an event once the transaction in progress is committed, at once outside one; never when it is rolled back. */
  publish(event: object): void {
    this.database.afterCommit(() => this.deliver(event));
  }

  /** Lets handlers that are under way finish: they may need the database, which closes after this. */
  async onApplicationShutdown(): Promise<void> {
    // A handler may publish in its turn.
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private deliver(event: object): void {
    const { name } = event.constructor;
    if (this.emitter.listenerCount(name) === 0) return;
    const handled = this.emitter.emitAsync(name, event).finally(() => this.running.delete(handled));
    this.running.add(handled);
  }
}

/**
 * Has a method of a provider called with each event of a class, after the commit it tells of. What it throws is logged: the
 * change it reacts to has been answered already.
 */
export function AfterCommit<Event extends object>(event: Type<Event>) {
  return (
    target: object,
    property: string | symbol,
    descriptor: TypedPropertyDescriptor<(event: Event) => void | Promise<void>>,
  ): void => void OnEvent(event.name)(target, property, descriptor);
}
