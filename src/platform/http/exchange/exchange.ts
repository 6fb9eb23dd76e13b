import type { IncomingMessage } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import type { NextFunction, Request, Response } from 'express';
import type { Listener } from '../operations/listener';
import type { ErrorBody } from '../../errors/app-error';
import type { Principal } from '../../security/principal';
import type { Operation } from '../operations/operation';
import type { RecordChange } from '../operations/record-change';
import type { ListUnderWay } from './list-under-way';
import type { RenderedResponse } from './rendered-response';
import type { Timeline } from '../../tracing/timeline';

/** Slot of the cache for the response to a request. */
export interface CacheEntry {
  readonly name: string;
  /** The version of the database before the response was read from it. */
  readonly version: number;
}

/** Function that Nest makes of a controller's method: guards, interceptors, pipes, the method itself and exception filters. */
export type RouteHandler = (request: Request, response: Response, next: NextFunction) => unknown;

/** Turns the result of a handler into JSON text: documented members only, absent ones left out, int64 exact. */
export type Serializer = (value: unknown) => string;

/** An operation, and the functions that serve it. */
export interface Endpoint {
  readonly operation: Operation;
  readonly handle: RouteHandler;
  /** Change that the operation makes to a record that operators know; unset when it makes none. */
  readonly change: RecordChange | undefined;
  /** Serialises the operation's result; unset when it documents no body. */
  readonly serialize: Serializer | undefined;
  /** Serialises the resource as a GET of the same path responds with it; unset where there is no such GET. */
  readonly represent: Serializer | undefined;
  /** Writes the response for the operation's result; unset when Nest or the operation itself does. */
  readonly respond: ((exchange: Exchange, result: unknown) => void) | undefined;
}

/** One request with an idempotency key whose response is not kept yet. */
export interface Attempt {
  /** Does the work of the handler, in one transaction with keeping its response. */
  readonly once: <T>(work: () => Promise<T>) => Promise<T>;
  /** Lets the next attempt begin; to be called when the handler has ended, or was not reached. */
  readonly end: () => void;
}

/** The query parameters of a request whose query has not been read yet. */
export const UNREAD_PARAMETERS: ParsedUrlQuery = {};

/** One request and its response, and the findings of the lifecycle so far. */
export class Exchange {
  /** Timeline of the request; unset where nothing is to be reported of it. */
  timeline: Timeline | undefined;
  /** Endpoint that serves the request; set once its route is found. */
  endpoint: Endpoint | undefined;
  /** Client that asks; unset on public operations. */
  principal: Principal | undefined;
  /**
   * Header fields that the response has, whatever it is. Not set on the response: Node writes fields given in one call as
   * they are, and gathers all of them first, which costs a microsecond, when one was set before.
   */
  responseFields: Readonly<Record<string, string>> | undefined;
  /** The error that was responded with. */
  error: Pick<ErrorBody, 'code' | 'message'> | undefined;
  /** Id of the record that the request has made, and no earlier one with its `Idempotency-Key`. */
  createdId: string | undefined;
  /** The path as it came, still percent-encoded. */
  path = '';
  /** True if the browser asks by the address of the console, which is one of HTTPS. */
  isOfEncryptedConsole = false;
  /** True if the cookie of the request belongs to a session. */
  hasSession = false;
  /** The query as it came, without the question mark. */
  query = '';
  /** Query parameters by name; those of an operation that says which it knows are strings. */
  parameters = UNREAD_PARAMETERS;
  /** The body as it came; kept for idempotent operations. */
  bodyBytes: Buffer | undefined;
  /** Does work once for all requests with one `Idempotency-Key`; unset for requests without. */
  attempt: Attempt | undefined;
  /** The response that is kept for its `Idempotency-Key`, whatever else the handler returns. */
  rendered: RenderedResponse | undefined;
  /** Outcome that the handler has in place of being called; unset where it is called. */
  outcome: (() => unknown) | undefined;
  /** Slot of the cache that keeps the response for the next request like this one; unset if it is not to be kept. */
  cacheEntry: CacheEntry | undefined;
  /** True if the request was refused because the service has too much to do. */
  isShed = false;
  /** The list that the request is served, where its size is bounded. */
  list: ListUnderWay | undefined;
  /** The response to the request before this one on the connection, when that is under way still. */
  previous: Response | undefined;
  /** Arrival of the request, by `performance.now()` as the next two; all are 0 where the request is not observed. */
  arrivedAt = 0;
  /** Start of the service's work on the request. */
  servedAt = 0;
  /** End of its response. */
  endedAt = 0;

  /** @param listener the port whose server took the connection: nothing a client sends can change it */
  constructor(
    readonly listener: Listener,
    readonly request: Request,
    readonly response: Response,
  ) {}

  /** The operation the request is for; unset until its route is found. */
  get operation(): Operation | undefined {
    return this.endpoint?.operation;
  }

  /** True once the client has shown a valid key or the cookie of a session. */
  get isClientKnown(): boolean {
    return this.hasSession || this.principal !== undefined;
  }

  /** Time that the request waited before the service began with it, in milliseconds. */
  get waitMs(): number {
    return this.servedAt - this.arrivedAt;
  }
}

declare global {
  namespace Express {
    interface Request {
      exchange: Exchange;
    }
  }
}

/** The exchange of a request; undefined of one that no listener of the service has received. */
export function exchangeOf(request: IncomingMessage): Exchange | undefined {
  return (request as Partial<Pick<Request, 'exchange'>>).exchange;
}
