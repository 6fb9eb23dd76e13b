import { Injectable } from '@nestjs/common';
import { type DecoratedMethod, DecoratedMethods } from '../jobs/decorated-methods';
import { type EventSubscription, eventSubscriptions } from './on-event.decorator';

/** A method that receives the events of a class. Stored events find it by its name, `Mails.welcome(PetCreated)`. */
export type EventHandler = DecoratedMethod<EventSubscription>;

/** The methods with `@OnEvent()` of all providers. */
@Injectable()
export class EventHandlers {
  private readonly byEvent = new Map<unknown, EventHandler[]>();
  private readonly durableByName = new Map<string, EventHandler>();

  constructor(private readonly methods: DecoratedMethods) {}

  /**
   * Finds the handlers.
   *
   * @throws Error when a handler is in a provider of request scope, or two durable ones have the same name
   */
  find(): void {
    for (const method of this.methods.find(eventSubscriptions)) {
      const { mark } = method;
      const name = `${method.name}(${mark.event.name})`;
      const handler = { ...method, name };
      this.byEvent.set(mark.event, [...this.of(mark.event), handler]);
      if (mark.delivery !== 'durable') continue;
      if (this.durableByName.has(name)) {
        throw new Error(`Two durable handlers are called ${name}: rename one of the classes.`);
      }
      this.durableByName.set(name, handler);
    }
  }

  /** Returns the handlers of an event, in the order of their providers. */
  of(event: unknown): readonly EventHandler[] {
    return this.byEvent.get(event) ?? [];
  }

  /** Handlers of stored events, by name. */
  get durable(): ReadonlyMap<string, EventHandler> {
    return this.durableByName;
  }
}
