import { IncomingMessage } from 'node:http';
import type { ArgumentsHost } from '@nestjs/common';
import type { Request } from 'express';

/** Requests by which clients of gateways have connected. */
const handshakes = new WeakMap<object, Request>();

/** Keeps the request by which a client of a gateway has connected. */
export function keepHandshake(client: object, request: Request): void {
  handshakes.set(client, request);
}

/**
 * Returns the request that a piece of Nest's work belongs to: of a message to a gateway the one by which its client has
 * connected, of GraphQL the one with the query. Undefined where there is none, as for messages of brokers.
 */
export function requestOf(host: ArgumentsHost): Request | undefined {
  switch (host.getType<'http' | 'ws' | 'rpc' | 'graphql'>()) {
    case 'http':
      return host.switchToHttp().getRequest<Request>();
    case 'ws':
      return handshakes.get(host.switchToWs().getClient<object>());
    case 'graphql':
      return ofGraphql(host.getArgByIndex<GraphqlContext | undefined>(2));
    default:
      return undefined;
  }
}

/** Tells work for a connection that outlives its request: a message to a gateway, or a subscription of GraphQL. */
export function outlivesRequest(host: ArgumentsHost): boolean {
  const type = host.getType<'http' | 'ws' | 'rpc' | 'graphql'>();
  if (type !== 'graphql') return type === 'ws';
  return lastingRequestOf(host.getArgByIndex(2)) !== undefined;
}

/** Returns the request by which a connection was made that lasts, of the context of a resolver; undefined by HTTP. */
export function lastingRequestOf(context: unknown): IncomingMessage | undefined {
  const request = (context as GraphqlContext | undefined)?.extra?.request;
  return request instanceof IncomingMessage ? request : undefined;
}

/** Context of a resolver, with the parts that lead to its request: with a subscription it is in `extra`. */
interface GraphqlContext {
  readonly req?: unknown;
  readonly extra?: { readonly request?: unknown };
}

function ofGraphql({ req, extra }: GraphqlContext = {}): Request | undefined {
  return [extra?.request, req].find((one) => one instanceof IncomingMessage) as Request | undefined;
}
