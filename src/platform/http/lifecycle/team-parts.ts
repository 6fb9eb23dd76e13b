import { Injectable, type PipeTransform } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HOST_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
  RouteParamtypes,
} from '@nestjs/common/internal';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import { RequestAuthenticator } from '../../security/request-authenticator';
import { readCaller } from '../../security/caller.decorator';
import { DtoPipe } from '../../validation/dto.pipe';
import { Int64Pipe } from '../../validation/int64-param.decorator';
import { UndeclaredPipe } from '../../validation/undeclared.pipe';
import { SchemaPipe } from '../../validation/schema.pipe';
import type { PetstoreAdapter } from '../adapter';
import { readOnce } from '../idempotency/once';
import type { Operation } from '../operations/operation';
import { ErrorFilter } from '../response/error.filter';

/** A parameter of a handler as Nest's decorators note it. */
interface NotedParameter {
  /** Function of a decorator by `createParamDecorator()`. */
  readonly factory?: unknown;
  readonly pipes: readonly unknown[];
}

/** Kinds of parameters whose value follows from the address and the body. */
const OF_THE_ADDRESS: readonly number[] = [
  RouteParamtypes.QUERY,
  RouteParamtypes.PARAM,
  RouteParamtypes.BODY,
  RouteParamtypes.RAW_BODY,
];

const ENHANCERS = [GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA, EXCEPTION_FILTERS_METADATA];

/**
 * Whatever a team has put between a request and its response: guards, interceptors, pipes, filters, middleware, and parameters
 * that read more of the request than its address and its caller. A response may be repeated ahead of Nest only where there is
 * none, because nothing but Nest asks them.
 */
@Injectable()
export class TeamParts {
  private readonly own: ReadonlySet<unknown>;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly config: ApplicationConfig,
    private readonly adapterHost: HttpAdapterHost<PetstoreAdapter>,
    authenticator: RequestAuthenticator,
  ) {
    this.own = new Set([
      authenticator.constructor,
      ErrorFilter,
      DtoPipe,
      Int64Pipe,
      SchemaPipe,
      UndeclaredPipe,
    ]);
  }

  /** Returns the names of what a team has put ahead of an operation. To be asked for once Nest has registered everything. */
  of(operation: Operation): string[] {
    const { controller, path, methodName: name } = operation;
    const hosts = this.discovery.getControllers().filter(({ metatype }) => metatype === controller);
    const owners = [controller.prototype, ...hosts.map(({ instance }) => instance as unknown)];
    const handlers = owners.map((owner) => (owner as Record<string, object>)[name] as object);
    const targets = new Set([controller, ...handlers]);
    const enhancers = [...targets].flatMap((target) =>
      ENHANCERS.flatMap((key) => (Reflect.getMetadata(key, target) ?? []) as unknown[]),
    );
    const isSplitByHost = Reflect.getMetadata(HOST_METADATA, controller) !== undefined;
    const hasFields = [...targets].some((target) => Reflect.hasMetadata(HEADERS_METADATA, target));
    const parts = [
      ...this.namesOf([...this.globals(), ...enhancers]),
      ...this.parametersOf(operation, name),
      ...(hosts.every((host) => host.isDependencyTreeStatic()) ? [] : ['providers of request scope']),
      ...(isSplitByHost ? ['the host of the controller'] : []),
      ...(hasFields ? ['@Header()'] : []),
      ...this.adapterHost.httpAdapter.middlewareFor(path),
    ];
    return [...new Set(parts)];
  }

  private globals(): unknown[] {
    const { config } = this;
    const ofRequests = [
      ...config.getGlobalRequestGuards(),
      ...config.getGlobalRequestInterceptors(),
      ...config.getGlobalRequestPipes(),
      ...config.getGlobalRequestFilters(),
    ];
    return [
      ...config.getGlobalGuards(),
      ...config.getGlobalInterceptors(),
      ...config.getGlobalPipes(),
      ...config.getGlobalFilters(),
      ...ofRequests.map(({ metatype }) => metatype),
    ];
  }

  private parametersOf({ controller }: Operation, name: string): string[] {
    const noted = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
      string,
      NotedParameter
    >;
    return Object.entries(noted).flatMap(([key, { factory, pipes }]) => {
      const kind = Number(key.split(':')[0]);
      const isKnown = factory
        ? factory === readCaller || factory === readOnce
        : OF_THE_ADDRESS.includes(kind);
      return [...(isKnown ? [] : [nameOfKind(kind)]), ...this.namesOf(pipes)];
    });
  }

  private namesOf(made: readonly unknown[]): string[] {
    const classes = made.map((one) =>
      typeof one === 'function' ? one : (one as PipeTransform | null | undefined)?.constructor,
    );
    return classes.filter((one) => !this.own.has(one)).map((one) => one?.name || 'a class without a name');
  }
}

function nameOfKind(kind: number): string {
  const [first = '', ...others] = (RouteParamtypes[kind] ?? '').toLowerCase().split('_');
  return kind in RouteParamtypes
    ? `@${[first, ...others].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}()`
    : 'a parameter decorator';
}
