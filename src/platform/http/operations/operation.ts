import type { Type } from '@nestjs/common';
import type { Listener } from './listener';
import type { RateLimitPolicy } from '../../rate-limit/rate-limit-policy';
import type { ResponseDeclaration, DeclaredError } from './response.decorators';
import type { Deprecation } from '../../deprecation/deprecated-operation.decorator';

/** Properties of one route, worked out once at the start from its decorators. */
export interface Operation {
  /** The operationId: the name of the controller's method; with the controller's before it where it declares no response. */
  readonly id: string;
  /** `PetsController.listPets`, as Nest names the handler that it registers. */
  readonly handlerName: string;
  readonly controller: Type;
  /** Name of the controller's method. */
  readonly methodName: string;
  readonly method: string;
  /** The port it is served on. */
  readonly listener: Listener;
  /** Path template, `/v1/pets/:petId`. */
  readonly path: string;
  /** Path template as people see it, `/v1/pets/{petId}`. */
  readonly template: string;
  readonly isPublic: boolean;
  readonly scopes: readonly string[];
  /** Scopes that a person needs for a page of the console, besides `admin:read`; empty for other routes. */
  readonly consoleScopes: readonly string[];
  /** A rate limit of its own; undefined if its requests count toward the common one. */
  readonly rateLimit: RateLimitPolicy | undefined;
  /** Names of the query parameters it knows; undefined when it takes any. */
  readonly queryNames: ReadonlySet<string> | undefined;
  /** Names of those that may be repeated, because the handler takes a list. */
  readonly queryLists: ReadonlySet<string>;
  readonly hasBody: boolean;
  /** True if it takes a form as `multipart/form-data`, which its interceptor reads. */
  readonly hasForm: boolean;
  /** Media types of the bodies whose bytes it takes, by `@RawBody()`; undefined where it takes no bytes. */
  readonly rawBody: readonly string[] | undefined;
  /** True if a request may be repeated under an Idempotency-Key. */
  readonly isIdempotent: boolean;
  /** True if the OpenAPI document has it; `@ApiExcludeController()` and `@ApiExcludeEndpoint()` keep it out. */
  readonly isDocumented: boolean;
  /** Its response on success; without one it writes its response itself. */
  readonly response: ResponseDeclaration | undefined;
  /** Errors of the domain it responds with. */
  readonly errors: readonly DeclaredError[];
  readonly deprecation: Deprecation | undefined;
  /** True if its responses may be repeated to the same caller until the database changes. */
  readonly isCached: boolean;
  /** True if its requests are logged at debug only, and are none of those that figures count. */
  readonly isQuiet: boolean;
}

const DOCUMENTABLE: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY', 'SEARCH', 'PROPFIND']);

/** Tells an operation whose method OpenAPI 3.0 knows. */
export function isDocumentable({ method }: Pick<Operation, 'method'>): boolean {
  return DOCUMENTABLE.has(method);
}

/** Tells an operation that changes nothing by its method (RFC 9110, RFC 10008, RFC 5323, RFC 4918). */
export function isSafe({ method }: Pick<Operation, 'method'>): boolean {
  return SAFE.has(method);
}
