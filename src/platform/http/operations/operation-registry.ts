import {
  Injectable,
  type OnApplicationBootstrap,
  RequestMethod,
  type Type,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { METHOD_METADATA, PATH_METADATA, VERSION_METADATA } from '@nestjs/common/internal';
import { QUIET_LOG_METADATA } from '../../logging/quiet-log.decorator';
import { type Listener, MANAGEMENT_PREFIX } from './listener';
import { CACHED_METADATA, LISTENER_METADATA, ONCE_METADATA } from './metadata';
import type { RateLimitPolicy } from '../../rate-limit/rate-limit-policy';
import { RATE_LIMIT_METADATA } from '../../rate-limit/rate-limited.decorator';
import {
  CONSOLE_SCOPES_METADATA,
  PUBLIC_METADATA,
  REQUIRED_SCOPES_METADATA,
} from '../../security/access.decorators';
import { RESPONSE_METADATA, ERRORS_METADATA } from './response.decorators';
import { DEPRECATION_METADATA } from '../../deprecation/deprecated-operation.decorator';
import { errorsOfOnce } from './errors-of-once';
import { handlerParameters } from './handler-parameters';
import { bodyMediaTypes } from './media-types';
import { messageScopes } from './message-handlers';
import type { Operation } from './operation';
import { listFault, routeFault, withoutNamesakes } from './refused-routes';
import { API_VERSION, openapiPath } from '../../values/operation-path';

/**
 * Every operation of the application, found from the controllers that Nest has.
 *
 * A route that declares neither its allowed callers nor that it is public stops the start: a forgotten declaration must not
 * open a door.
 */
@Injectable()
export class OperationRegistry implements OnApplicationBootstrap {
  private found: readonly Operation[] | undefined;
  private ofMessages: readonly string[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Error naming the route that cannot be served, such as one that declares no access, or two that have one name */
  get operations(): readonly Operation[] {
    this.found ??= this.find();
    return this.found;
  }

  /** @throws Error naming a list whose query no repository reads: none of its requests could succeed */
  onApplicationBootstrap(): void {
    for (const operation of this.operations) {
      const { controller, methodName } = operation;
      const fault = listFault(operation, handlerParameters(controller, methodName).queryTypes);
      if (fault) throw new Error(fault);
    }
  }

  /** The operations of one port. */
  of(listener: Listener): readonly Operation[] {
    return this.operations.filter((operation) => operation.listener === listener);
  }

  /** The operation that Nest has registered under a method and a path of a port. */
  at(listener: Listener, method: string, path: string): Operation | undefined {
    return this.operations.find(
      (operation) =>
        operation.listener === listener && operation.method === method && operation.path === path,
    );
  }

  /** The operationId of a controller's method, `PetsController.listPets`. */
  idOf(handlerName: string): string {
    return this.operations.find((operation) => operation.handlerName === handlerName)?.id ?? handlerName;
  }

  /**
   * Returns the GET that responds with the resource of an operation, or a PATCH where there is no GET: on its own path, or on
   * the path above where the last segment names an action, as in `/orders/:orderId/cancel`.
   */
  representationOf({ path, listener }: Pick<Operation, 'path' | 'listener'>): Operation | undefined {
    const candidates = this.of(listener).filter(
      (other) => other.path === path && other.response?.kind === 'one',
    );
    const found = candidates.find(({ method }) => method === 'GET') ?? candidates[0];
    const [, above, last = ':'] = /^(.+)\/([^/]+)$/.exec(path) ?? [];
    return (
      found ?? (above && !last.startsWith(':') ? this.representationOf({ path: above, listener }) : undefined)
    );
  }

  /** Every scope that an operation, a page or a handler of messages requires, sorted: those that keys can be given. */
  get scopes(): string[] {
    const all = this.operations.flatMap(({ scopes, consoleScopes }) => [...scopes, ...consoleScopes]);
    return [...new Set([...all, ...this.ofMessages])].sort();
  }

  private find(): readonly Operation[] {
    this.ofMessages = messageScopes(this.discovery, this.scanner, this.reflector);
    return withoutNamesakes(
      this.discovery.getControllers().flatMap(({ metatype }) => this.operationsOf(metatype as Type)),
    );
  }

  private operationsOf(controller: Type): Operation[] {
    return this.scanner
      .getAllMethodNames(controller.prototype as object)
      .filter((name) => Reflect.hasMetadata(METHOD_METADATA, handlerOf(controller, name)))
      .map((name) => this.describe(controller, name));
  }

  private describe(controller: Type, name: string): Operation {
    const handler = handlerOf(controller, name);
    const targets = [handler, controller];
    const isPublic = this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_METADATA, targets) ?? false;
    const scopes =
      this.reflector.getAllAndOverride<string[] | undefined>(REQUIRED_SCOPES_METADATA, targets) ?? [];
    const consoleScopes =
      this.reflector.getAllAndOverride<string[] | undefined>(CONSOLE_SCOPES_METADATA, targets) ?? [];
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] as string;
    const listener = this.reflector.get<Listener | undefined>(LISTENER_METADATA, controller) ?? 'public';
    const path = pathOf(controller, handler);
    const response = this.reflector.get<Operation['response']>(RESPONSE_METADATA, handler);
    const parameters = handlerParameters(controller, name);
    const { takesBody, takesForm, takesBytes, queryNames, queryLists, pathNames } = parameters;
    const rateLimit = this.reflector.getAllAndOverride<RateLimitPolicy | undefined>(
      RATE_LIMIT_METADATA,
      targets,
    );
    const isIdempotent = this.reflector.get<boolean | undefined>(ONCE_METADATA, handler) ?? false;
    const errors = this.reflector.get<Operation['errors'] | undefined>(ERRORS_METADATA, handler) ?? [];
    const operation: Operation = {
      id: response ? name : `${controller.name}_${name}`,
      handlerName: `${controller.name}.${name}`,
      methodName: name,
      controller,
      method,
      listener,
      path,
      template: openapiPath(path),
      isPublic,
      scopes,
      consoleScopes,
      rateLimit,
      queryNames: queryNames ?? (response && new Set()),
      queryLists,
      hasBody: takesBody,
      hasForm: takesForm,
      rawBody: takesBytes ? (parameters.consumed ?? bodyMediaTypes(method)) : undefined,
      isIdempotent,
      isDocumented: isDocumented(controller, handler),
      response,
      // Decorators of parameters run before it is known whether one takes the body.
      errors: isIdempotent ? [...errorsOfOnce(takesBody), ...errors] : errors,
      deprecation: this.reflector.get(DEPRECATION_METADATA, handler),
      isCached: this.reflector.get<boolean | undefined>(CACHED_METADATA, handler) ?? false,
      isQuiet: this.reflector.getAllAndOverride<boolean | undefined>(QUIET_LOG_METADATA, targets) ?? false,
    };
    const fault = routeFault(operation, { method: handler, pathNames });
    if (fault) throw new Error(fault);
    return operation;
  }
}

function isDocumented(controller: Type, handler: object): boolean {
  const [isControllerOut] = (Reflect.getMetadata('swagger/apiExcludeController', controller) ??
    []) as boolean[];
  const endpoint = Reflect.getMetadata('swagger/apiExcludeEndpoint', handler) as
    { disable: boolean } | undefined;
  return isControllerOut !== true && endpoint?.disable !== true;
}

function handlerOf(controller: Type, name: string): Type {
  return (controller.prototype as Record<string, Type>)[name] as Type;
}

function pathOf(controller: Type, handler: object): string {
  const version: unknown =
    Reflect.getMetadata(VERSION_METADATA, handler) ??
    Reflect.getMetadata(VERSION_METADATA, controller) ??
    API_VERSION;
  const prefix = version === VERSION_NEUTRAL ? '' : `v${String(version)}`;
  const parts = [
    prefix,
    Reflect.getMetadata(PATH_METADATA, controller),
    Reflect.getMetadata(PATH_METADATA, handler),
  ];
  const path = parts.map((part) => String(part).replace(/^\/|\/$/g, '')).filter(Boolean);
  // The prefix only tells Nest the ports apart.
  return `/${path.join('/')}`.replace(`${MANAGEMENT_PREFIX}/`, '/');
}
