import { AppError, type ErrorBody } from '../../errors/app-error';
import { BASE_PATH } from '../../values/operation-path';
import { readJson } from '../../values/json-reader';
import { dtoMembers } from '../../validation/dto-members';
import type { RenderedResponse } from '../exchange/rendered-response';
import type { Operation } from '../operations/operation';
import { keptOutcome } from './once';

/** Handlers that look for the response of an earlier request first. */
const watched = new WeakSet<object>();

/**
 * Leaves out handlers with `@Once()` where the request has its outcome already, so that guards, interceptors and pipes of a
 * team are asked for a repetition as for the first request. To be called before Nest registers routes.
 */
export function leaveOutRepeatedWork(operations: readonly Operation[]): void {
  for (const { isIdempotent, controller, methodName: name } of operations) {
    if (!isIdempotent) continue;
    const prototype = controller.prototype as Record<string, (...parameters: unknown[]) => unknown>;
    const handler = prototype[name];
    if (!handler || watched.has(handler)) continue;
    const watching = function (this: object, ...parameters: unknown[]): unknown {
      const outcome = keptOutcome(parameters);
      return outcome ? outcome() : handler.apply(this, parameters);
    };
    Object.defineProperty(watching, 'name', { value: handler.name });
    for (const key of Reflect.getMetadataKeys(handler) as unknown[]) {
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), watching);
    }
    watched.add(watching);
    prototype[name] = watching;
  }
}

/**
 * Returns what the handler would have returned for a response that is kept, as far as its JSON tells.
 *
 * @throws KeptRefusal when the kept response is a refusal
 */
export function resultOf({ response }: Operation, { error, body, location }: RenderedResponse): unknown {
  if (error) throw new KeptRefusal(error);
  const exact = readJson(Buffer.from(body)) as Record<string, unknown>;
  const plain = JSON.parse(body) as Record<string, unknown>;
  const members = response?.type ? dtoMembers(response.type).filter(({ isExact }) => isExact) : [];
  const item = { ...plain, ...Object.fromEntries(members.map(({ name }) => [name, exact[name]])) };
  return response?.kind === 'created' ? { item, path: location?.slice(BASE_PATH.length) } : item;
}

/** A refusal of an earlier request, in the words that its client got. */
class KeptRefusal extends AppError {
  readonly code: string;
  readonly status: number;
  readonly headers = { 'Idempotency-Replayed': 'true' };

  constructor({ code, message, status }: ErrorBody) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
