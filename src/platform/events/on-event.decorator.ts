import type { Type } from '@nestjs/common';
import { attemptsWithin } from '../jobs/retries';

/**
 * Time at which a handler receives an event, and how reliably:
 *
 * - `after-commit`: in this process, once the transaction is committed. The event is lost when the process dies before that.
 * - `transaction`: in the transaction itself, right before its commit. An error of the handler rolls it back.
 * - `durable`: after the commit, at least once, in whatever process has time. The event is stored with the change, and tried
 *   again until the handler has succeeded.
 */
export type EventDelivery = 'after-commit' | 'transaction' | 'durable';

/** Options of {@link OnEvent}. */
export interface OnEventOptions {
  /** `after-commit` unless given. */
  readonly delivery?: EventDelivery;
  /** Hours for which a durable handler is called again while it fails; a day unless given. Then an operator decides. */
  readonly retryHours?: number;
}

/** Attempt that a durable handler is told of besides the event. */
export interface DeliveryAttempt {
  /** Id of the delivery: the same in each attempt, and of no other delivery. */
  readonly id: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
}

/** One {@link OnEvent} of a method. */
export interface EventSubscription {
  readonly event: Type<object>;
  readonly delivery: EventDelivery;
  /** Number of attempts of a durable handler. */
  readonly maxAttempts: number;
}

const SUBSCRIPTIONS_METADATA = 'petstore:event-subscriptions';

/** Calls a method of a provider with each event of a class. */
export function OnEvent<Event extends object>(
  event: Type<Event>,
  { delivery = 'after-commit', retryHours }: OnEventOptions = {},
) {
  if (retryHours !== undefined && delivery !== 'durable') {
    throw new Error(`retryHours of a handler of ${event.name} needs delivery: 'durable'.`);
  }
  const maxAttempts = attemptsWithin(retryHours);
  return <Handler extends (event: Event, attempt: DeliveryAttempt) => void | Promise<void>>(
    _target: object,
    _property: string | symbol,
    descriptor: TypedPropertyDescriptor<Handler>,
  ): void => {
    const method = descriptor.value as object;
    const subscriptions = [...eventSubscriptions(method), { event, delivery, maxAttempts }];
    Reflect.defineMetadata(SUBSCRIPTIONS_METADATA, subscriptions, method);
  };
}

/** Returns the {@link OnEvent} marks of a method; empty without any. */
export function eventSubscriptions(method: object): readonly EventSubscription[] {
  const subscriptions: unknown = Reflect.getMetadata(SUBSCRIPTIONS_METADATA, method);
  return (subscriptions ?? []) as readonly EventSubscription[];
}
