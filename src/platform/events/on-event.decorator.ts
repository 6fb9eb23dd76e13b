import type { Type } from '@nestjs/common';

/**
 * When a handler hears of an event:
 *
 * - `after-commit`: in this process, once the transaction is committed. It is lost when the process dies before that.
 * - `transaction`: in the transaction itself, right before its commit. What the handler throws rolls it back.
 * - `durable`: after the commit, at least once, in whatever process has time. It is stored with the change, and tried again
 *   until the handler has succeeded.
 */
export type EventDelivery = 'after-commit' | 'transaction' | 'durable';

/** How a handler wants its events. */
export interface OnEventOptions {
  /** `after-commit` unless given. */
  readonly delivery?: EventDelivery;
}

/** What a durable handler is told besides the event. */
export interface DeliveryAttempt {
  /** The same in each attempt, and of no other delivery. */
  readonly id: string;
  /** 1 at first. */
  readonly attempt: number;
}

/** One {@link OnEvent} of a method. */
export interface EventSubscription {
  readonly event: Type<object>;
  readonly delivery: EventDelivery;
}

const SUBSCRIPTIONS_METADATA = 'petstore:event-subscriptions';

/** Has a method of a provider called with each event of a class. */
export function OnEvent<Event extends object>(
  event: Type<Event>,
  { delivery = 'after-commit' }: OnEventOptions = {},
) {
  return <Handler extends (event: Event, attempt: DeliveryAttempt) => void | Promise<void>>(
    _target: object,
    _property: string | symbol,
    descriptor: TypedPropertyDescriptor<Handler>,
  ): void => {
    const method = descriptor.value as object;
    const subscriptions = [...eventSubscriptions(method), { event, delivery }];
    Reflect.defineMetadata(SUBSCRIPTIONS_METADATA, subscriptions, method);
  };
}

/** What a method is called with; empty of one without {@link OnEvent}. */
export function eventSubscriptions(method: object): readonly EventSubscription[] {
  const subscriptions: unknown = Reflect.getMetadata(SUBSCRIPTIONS_METADATA, method);
  return (subscriptions ?? []) as readonly EventSubscription[];
}
