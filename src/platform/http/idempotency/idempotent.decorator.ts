import type { Type } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { IdempotencyInProgressError, IdempotencyKeyReusedError } from '../../errors/http-errors';
import { handlerParameters } from '../operations/handler-parameters';
import { ErrorResponse } from '../operations/response.decorators';
import { onceIfAsked } from './idempotency';

export const IDEMPOTENT_METADATA = 'petstore:idempotent';

type Handler = (...parameters: unknown[]) => Promise<unknown>;

/**
 * Lets clients repeat a request of this operation without repeating its work: those with the same `Idempotency-Key` get the
 * same response for a day. The work runs in one transaction with keeping the response. It is for what creates something and for
 * what a repetition would do twice, such as a refund.
 */
export function Idempotent(): MethodDecorator {
  return (target, property, descriptor: PropertyDescriptor) => {
    const work = descriptor.value as Handler;
    const handler: Handler = function (this: unknown, ...parameters) {
      return onceIfAsked(() => work.apply(this, parameters));
    };
    // Swagger looks up what is known of a handler by its name, Nest by what the decorators below have said of it.
    Object.defineProperty(handler, 'name', { value: work.name });
    for (const key of Reflect.getMetadataKeys(work)) {
      Reflect.defineMetadata(key, Reflect.getMetadata(key, work), handler);
    }
    Reflect.defineMetadata(IDEMPOTENT_METADATA, true, handler);
    descriptor.value = handler;
    ApiHeader({
      name: 'Idempotency-Key',
      description:
        'Makes the request safe to repeat: a name of your choice, such as a UUID, bare or in quotes. For 24 hours the same key with the same body gets the first answer.',
      required: false,
    })(target, property, descriptor);
    ErrorResponse(IdempotencyInProgressError, 'A request with this `Idempotency-Key` is still under way.')(
      target,
      property,
      descriptor,
    );
    if (!handlerParameters(target.constructor as Type, property as string).takesBody) return;
    ErrorResponse(IdempotencyKeyReusedError, 'The `Idempotency-Key` came with another body before.')(
      target,
      property,
      descriptor,
    );
  };
}
