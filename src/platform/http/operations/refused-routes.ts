import { GUARDS_METADATA, RENDER_METADATA } from '@nestjs/common/internal';
import type { Type } from '@nestjs/common';
import { isRead, readingParameters } from '../../validation/list-filters';
import { pathUnderBase } from '../../values/operation-path';
import { isDocumentable, type Operation } from './operation';

/** The method of a controller that serves a route. */
interface Handler {
  readonly method: object;
  /** Names of the path parameters it takes one by one. */
  readonly pathNames: readonly string[];
}

/**
 * Returns the reason why a route cannot be served, in one sentence that names its handler and the remedy; undefined when it
 * can.
 *
 * The start refuses routes that would open a door, or whose fault their author would find out only when a client complains.
 */
export function routeFault(operation: Operation, handler: Handler): string | undefined {
  const { method, path, handlerName } = operation;
  const fault = faultOf(operation) ?? faultOfHandler(operation, handler);
  return fault && `${method} ${path} (${handlerName}) ${fault}`;
}

/** Returns the reason why a list cannot be served once all repositories are there; undefined when it can. */
export function listFault(
  { method, path, handlerName, response }: Operation,
  queryTypes: readonly Type[],
): string | undefined {
  if (response?.kind !== 'page') return undefined;
  const query = queryTypes.find((type) => readingParameters(type).length > 0 && !isRead(type));
  if (!query) return undefined;
  const names = readingParameters(query).join(', ');
  return `${method} ${path} (${handlerName}) takes ${query.name}, and no repository reads what the class declares by ${names}: pass the class to the repository, as super(database, <entity>, ${query.name}), which also checks that there is an index.`;
}

function faultOf(operation: Operation): string | undefined {
  const { method, path, listener, isPublic, scopes, response, rateLimit } = operation;
  if (isPublic === scopes.length > 0) {
    return 'must have either @Public() or @RequireScopes(...): routes are closed unless they say who may use them.';
  }
  if (method === 'ALL') {
    return 'takes every HTTP method: name each, so that a wrong one can be told from the right ones.';
  }
  if (response && !isDocumentable(operation)) {
    return `declares a response, and OpenAPI has no ${method}: leave the declaration out, or serve POST.`;
  }
  if (listener === 'management' && response) {
    return 'declares a response, which only the documented interface has.';
  }
  if (response && pathUnderBase({ path }) === path) {
    return 'declares a response, whose links lead to version 1: leave @Version() out, or write the response by hand.';
  }
  if (isPublic && rateLimit) {
    return 'is public, so there is no API key whose requests a rate limit could count.';
  }
  return undefined;
}

function faultOfHandler(operation: Operation, handler: Handler): string | undefined {
  const { method, path, response, hasBody, hasForm, rawBody, isIdempotent } = operation;
  if (Reflect.hasMetadata(RENDER_METADATA, handler.method)) {
    return 'has @Render(), and there is no view engine: return the text, or a StreamableFile.';
  }
  if (method === 'GET' && hasBody) {
    return 'takes @Body(), which is ignored with GET: take @Query(), or serve POST.';
  }
  if (rawBody && hasForm) {
    return 'takes @RawBody() of a form, which its interceptor reads as it arrives: take @UploadedFile().';
  }
  if (isIdempotent && method === 'GET') {
    return 'has @Once(), and a GET may be repeated as it is: leave it out.';
  }
  if (isIdempotent && response?.kind !== 'created' && response?.kind !== 'one') {
    return 'has @Once(), which keeps the response of @CreatedResponse(...) or @OkResponse(...): add one.';
  }
  if (isIdempotent && hasForm) {
    return 'has @Once(), which tells bodies of JSON apart and no forms: leave it out.';
  }
  const { isPublic, isCached, controller } = operation;
  if (isPublic && isCached && [handler.method, controller].some(hasGuard)) {
    return 'is public and has both @CacheResponse() and a guard, which a cached response does not ask: leave @CacheResponse() out.';
  }
  const names = parameterNames(path);
  const unknown = handler.pathNames.find((taken) => !names.includes(taken));
  return unknown && `takes @Param('${unknown}'), which its path does not have: name one that it has.`;
}

function hasGuard(target: object): boolean {
  return ((Reflect.getMetadata(GUARDS_METADATA, target) ?? []) as unknown[]).length > 0;
}

function parameterNames(path: string): string[] {
  return [...path.matchAll(/[:*](?:"([^"]+)"|([\w$]+))/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/**
 * Returns the operations unless two of them have one name or one path: clients are generated from the names.
 *
 * @throws Error naming both handlers and the remedy
 */
export function withoutNamesakes(operations: readonly Operation[]): readonly Operation[] {
  const fault = collision(operations);
  if (fault) throw new Error(fault);
  const byId = new Map<string, Operation>();
  for (const operation of operations) {
    const namesake = operation.response && byId.get(operation.id);
    if (namesake) {
      throw new Error(
        `${namesake.handlerName} and ${operation.handlerName} have the same name, which is the operationId of a documented operation: rename one of the methods.`,
      );
    }
    if (operation.response) byId.set(operation.id, operation);
  }
  return operations;
}

/**
 * Returns the reason why two operations collide: only one could be served, or OpenAPI cannot describe both; undefined when no
 * two do.
 */
function collision(operations: readonly Operation[]): string | undefined {
  const byShape = new Map<string, Operation>();
  const byPath = new Map<string, Operation>();
  for (const operation of operations) {
    const { listener, method, path, handlerName } = operation;
    const shape = `${listener} ${path.replaceAll(/:(?:"[^"]+"|[\w$]+)/g, ':')}`;
    const other = byShape.get(shape);
    // Of two with one method the first serves the path; one with another method would never be found.
    if (other && other.path !== path && other.method !== method) {
      return `${other.handlerName} calls ${other.path} what ${handlerName} calls ${path}: give the parameters of one path one name.`;
    }
    if (!other) byShape.set(shape, operation);
    const exact = `${listener} ${method} ${path}`;
    const twin = byPath.get(exact);
    if (twin && twin.handlerName !== handlerName) {
      return `${method} ${path} is served by ${twin.handlerName} and ${handlerName}: give one of them another path.`;
    }
    byPath.set(exact, operation);
  }
  return undefined;
}
