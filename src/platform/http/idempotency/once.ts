import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { ONCE_METADATA } from '../operations/metadata';
import { IDEMPOTENCY_KEY_SCHEMA } from './idempotency-key';

/**
 * Does work once for all requests with the same `Idempotency-Key`: in one transaction with keeping its response, which
 * repetitions get for a day. Guards, interceptors and pipes of a team are asked for those, too; the handler is not called.
 * Without a key the work just runs. Anything done before the first statement of the work, in it or ahead of it, is outside the
 * transaction, and may be repeated with the request when the transaction does not complete.
 */
export type Once = <T>(work: () => Promise<T>) => Promise<T>;

const WITHOUT_KEY: Once = (work) => work();

/** Outcomes of earlier requests, by the functions that the handlers of repetitions would get. */
const keptOutcomes = new WeakMap<Once, () => unknown>();

/** Reads what does the work of a request once. */
export function readOnce(_data: unknown, context: ExecutionContext): Once {
  const { attempt, outcome } = context.switchToHttp().getRequest<Request>().exchange;
  if (!outcome) return attempt?.once ?? WITHOUT_KEY;
  const once: Once = () => Promise.reject(new Error('The work belongs to an earlier request.'));
  keptOutcomes.set(once, outcome);
  return once;
}

const InjectOnce = createParamDecorator(readOnce);

/** Returns the outcome of an earlier request for a handler that would get these parameters; undefined when it is to be called. */
export function keptOutcome(parameters: readonly unknown[]): (() => unknown) | undefined {
  return parameters.map((one) => keptOutcomes.get(one as Once)).find(Boolean);
}

/** Injects a function that does the handler's work once for all requests with the same `Idempotency-Key`: {@link Once}. */
export function Once(): ParameterDecorator {
  return (target, property, index) => {
    InjectOnce()(target, property, index);
    const name = property as string;
    const descriptor = Object.getOwnPropertyDescriptor(target, name) as PropertyDescriptor;
    Reflect.defineMetadata(ONCE_METADATA, true, descriptor.value as object);
    ApiHeader({
      name: 'Idempotency-Key',
      description:
        'Makes the request safe to repeat: a name of your choice, such as a UUID, bare or in quotes. For 24 hours the same key with the same body gets the first response.',
      required: false,
      schema: IDEMPOTENCY_KEY_SCHEMA,
    })(target, name, descriptor);
  };
}
