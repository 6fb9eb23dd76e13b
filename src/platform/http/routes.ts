import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { PreconditionFailedError } from '../errors/http-errors';
import type { Listener } from './operations/listener';
import type { PetstoreAdapter, RegisteredRoute } from './adapter';
import type { Endpoint, Serializer } from './exchange/exchange';
import type { Operation } from './operations/operation';
import { OperationRegistry } from './operations/operation-registry';
import { RECORD_KINDS, recordChangeOf, type RecordKinds } from './operations/record-change';
import { ResponseWriter } from './response/response-writer';
import { RouteTable } from './route-table';
import { ServedDocument } from './response/served-document';
import { compileSerializer } from './response/serializer';

/** The routes that Nest has registered, by the listener that serves them. */
@Injectable()
export class Routes {
  private tables: Readonly<Record<Listener, RouteTable>> | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost<PetstoreAdapter>,
    private readonly registry: OperationRegistry,
    private readonly document: ServedDocument,
    private readonly writer: ResponseWriter,
    @Inject(RECORD_KINDS) private readonly kinds: RecordKinds,
  ) {}

  /**
   * The routes of one listener. To be asked for once Nest has registered all of them.
   *
   * @throws Error naming a route that was registered past Nest's controllers
   */
  of(listener: Listener): RouteTable {
    this.tables ??= this.buildTables();
    return this.tables[listener];
  }

  private buildTables(): Readonly<Record<Listener, RouteTable>> {
    const registered = this.adapterHost.httpAdapter.registeredRoutes;
    const serializers = this.compileSerializers();
    const endpoints = registered.map((route) => this.endpointOf(route, serializers));
    const tableOf = (listener: Listener) =>
      new RouteTable(endpoints.filter(({ operation }) => operation.listener === listener));
    return { public: tableOf('public'), management: tableOf('management') };
  }

  private endpointOf(
    { listener, method, path, handle }: RegisteredRoute,
    serializers: ReadonlyMap<Operation, Serializer>,
  ): Endpoint {
    const operation = this.registry.at(listener, method, path);
    if (!operation) throw new Error(this.explain(method, path, handle.name));
    const represented = this.registry.representationOf(operation);
    if (!represented && operation.errors.some(({ error }) => error === PreconditionFailedError)) {
      throw new Error(
        `${operation.handlerName} takes @IfMatch(), and no GET of its path, or of the one above it, responds with the resource whose entity tag that could be: add one, or leave @IfMatch() out.`,
      );
    }
    return {
      operation,
      handle,
      change: recordChangeOf(operation, this.registry.of(listener), this.kinds),
      serialize: serializers.get(operation),
      represent: represented && serializers.get(represented),
      respond: operation.response && ((exchange, result) => this.writer.write(exchange, result)),
    };
  }

  private explain(method: string, path: string, handlerName: string): string {
    const operation = this.registry.operations.find((candidate) => candidate.handlerName === handlerName);
    return operation
      ? `${handlerName} is registered as ${method} ${path}, where its decorators say ${operation.method} ${operation.path}: give it one path, one version and one method, and write prefixes in @Controller().`
      : `${method} ${path} was registered on the HTTP adapter itself: routes belong in a controller, where @Public() or @RequireScopes(...) says who may use them.`;
  }

  /** Compiles a serializer for each operation from the document's own schemas, so that responses are as documented. */
  private compileSerializers(): ReadonlyMap<Operation, Serializer> {
    const { document } = this.document;
    const withBody = this.registry.operations.filter(
      ({ response }) => response && response.kind !== 'nothing',
    );
    return new Map(withBody.map((operation) => [operation, compileSerializer(operation, document)]));
  }
}
