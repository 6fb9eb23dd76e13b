import { IncomingMessage } from 'node:http';
import type { INestApplication, WebSocketAdapter, WsMessageHandler } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA } from '@nestjs/common/internal';
import { ApplicationConfig, DiscoveryService } from '@nestjs/core';
import type { Request } from 'express';
import type { PetstoreAdapter } from './adapter';
import { inRequest } from '../tracing/request-context';
import { keepHandshake, lastingRequestOf } from '../tracing/request-of';
import { Exchange } from './exchange/exchange';
import { ErrorFilter } from './response/error.filter';
import { unsentResponse } from './exchange/unsent-response';

/** A client of socket.io, or of ws, of which Nest hands over the request beside it. */
interface GatewayClient {
  readonly request?: unknown;
  readonly handshake?: { readonly auth?: { readonly token?: unknown } };
}

/** Metadata by which Nest knows a gateway. */
const GATEWAY_METADATA = 'websockets:is_gateway';

/**
 * Handles each message to a gateway as work of the request by which its client has connected, whatever adapter is used, and
 * its errors told as all others: Nest asks no global filter of a gateway. To be called before Nest connects gateways.
 */
export function attendGateways(app: INestApplication): void {
  const config = app.get(ApplicationConfig);
  const errors = app.get(ErrorFilter);
  for (const { metatype } of app.get(DiscoveryService).getProviders()) {
    if (!metatype || !Reflect.hasMetadata(GATEWAY_METADATA, metatype)) continue;
    const own = (Reflect.getMetadata(EXCEPTION_FILTERS_METADATA, metatype) ?? []) as unknown[];
    const others = own.filter((filter) => !(filter instanceof ErrorFilter));
    Reflect.defineMetadata(EXCEPTION_FILTERS_METADATA, [errors, ...others], metatype);
  }
  const set = config.setIoAdapter.bind(config);
  config.setIoAdapter = (adapter) => set(attended(adapter));
  // Nest's getter promises one; there is none unless the team has set it.
  const adapter = config.getIoAdapter() as WebSocketAdapter | null;
  if (adapter) set(attended(adapter));
}

type Resolve = (source: unknown, args: unknown, context: unknown, info: unknown) => unknown;

/** Schema of GraphQL, with the parts that lead to its resolvers. */
interface GraphqlSchema {
  getTypeMap: () => Record<
    string,
    { getFields?: () => Record<string, Partial<Record<'resolve' | 'subscribe', Resolve>>> }
  >;
}

/** Provider that starts GraphQL and mounts its handler. */
interface GraphqlDriver {
  start: (options: { readonly schema?: GraphqlSchema }) => unknown;
}

/**
 * Reads JSON bodies for GraphQL, whatever driver is used, and does the work for a connection that lasts as work of the request by
 * which it was made. To be called before Nest starts drivers.
 */
export function attendQueries(app: INestApplication, adapter: PetstoreAdapter): void {
  for (const { token, instance } of app.get(DiscoveryService).getProviders()) {
    if ((token as { readonly name?: string }).name !== 'AbstractGraphQLDriver') continue;
    const driver = instance as GraphqlDriver;
    const start = driver.start.bind(driver);
    driver.start = (options) => {
      if (options.schema) attendResolvers(options.schema);
      return adapter.mountWithJson(() => start(options));
    };
  }
}

function attendResolvers(schema: GraphqlSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    for (const field of Object.values(type.getFields?.() ?? {})) {
      const { resolve, subscribe } = field;
      if (resolve) field.resolve = inLastingRequest(resolve);
      if (subscribe) field.subscribe = inLastingRequest(subscribe);
    }
  }
}

/** A message of a connection that lasts comes outside of its request; a query by HTTP is in it already. */
function inLastingRequest(resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    const request = lastingRequestOf(context);
    const work = () => resolve(source, args, context, info);
    return request ? inRequest(request, work) : work();
  };
}

function attended(adapter: WebSocketAdapter): WebSocketAdapter {
  const requests = new WeakMap<object, Request>();
  const connect = adapter.bindClientConnect.bind(adapter);
  adapter.bindClientConnect = (server: unknown, callback: (...parameters: unknown[]) => unknown): unknown =>
    connect(server, (client: GatewayClient, ...others: unknown[]) => {
      const request = handshakeOf(client, others[0]);
      if (request) {
        requests.set(client, request);
        keepHandshake(client, request);
      }
      return callback(client, ...others);
    }) as unknown;
  const bind = adapter.bindMessageHandlers.bind(adapter);
  adapter.bindMessageHandlers = (client: object, handlers: WsMessageHandler[], transform): unknown => {
    const request = requests.get(client);
    const within = handlers.map(({ callback, ...handler }) => ({
      ...handler,
      callback: (...parameters: unknown[]): unknown =>
        request ? inRequest(request, () => callback(...parameters) as unknown) : callback(...parameters),
    }));
    return bind(client, within as WsMessageHandler[], transform) as unknown;
  };
  return adapter;
}

/** Returns a request of the client's own: clients of several namespaces share that of their connection. */
function handshakeOf(client: GatewayClient, beside: unknown): Request | undefined {
  const request = [beside, client.request].find((one) => one instanceof IncomingMessage);
  if (!request) return undefined;
  const own = Object.create(request) as Request;
  const token = client.handshake?.auth?.token;
  // Browsers cannot send header fields with a handshake; socket.io has a place for credentials.
  if (typeof token === 'string' && request.headers.authorization === undefined) {
    Object.defineProperty(own, 'headers', {
      value: { ...request.headers, authorization: `Bearer ${token}` },
    });
  }
  own.exchange = new Exchange('public', own, unsentResponse(own));
  return own;
}
