import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parentSpanOf } from './traceparent';
import type { Timeline } from './timeline';
import type { Span } from './tracing';
import { requestIdOf } from './request-id';

const own = Symbol('context');

/** Operation that serves a request, with the members that work for the request uses. */
interface Operation {
  readonly method: string;
  readonly template: string;
  readonly handlerName: string;
}

/** A request that carries its context. */
type Carrier = IncomingMessage & {
  [own]?: RequestContext;
  readonly exchange?: {
    readonly operation: Operation | undefined;
    /** Client that asks; unset until its key has been judged. */
    readonly principal: unknown;
    readonly response: ServerResponse;
  };
};

/** Context of a request at every step of its work; for a command, its timeline alone. */
export interface RequestContext {
  readonly request?: Carrier;
  /** The span of the work in progress, when traces are recorded. */
  readonly span?: Span | undefined;
  /** Timeline that records the steps of the request or command. */
  readonly timeline?: Timeline | undefined;
  /** Owner of the rows that the work is about, if that is not up to the client: null for all, undefined for none. */
  readonly ownership?: { readonly owner: string | null | undefined };
}

/** Ids of a request in the log. Unknown ones are undefined. */
export interface RequestIds {
  readonly requestId: string;
  /** Id of the trace that the request belongs to: that of the parent span, or one begun here. */
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Attaches its context to a request that is traced, before anything else of the request is read. */
export function attachContext(context: RequestContext & { readonly request: Carrier }): void {
  context.request[own] = context;
}

/** Does the work of a request, so that {@link currentContext} returns its context at every step. */
export function inRequest<T>(request: Carrier, work: () => T, timeline?: Timeline): T {
  return inContext(timeline ? { request, span: request[own]?.span, timeline } : contextOf(request), work);
}

/** Does work outside requests. */
export function inTimeline<T>(timeline: Timeline, work: () => T): T {
  return inContext({ timeline }, work);
}

/** Does work in a context, as a part of a request. */
export function inContext<T>(context: RequestContext, work: () => T): T {
  return contexts.run(context, work);
}

/** Returns the context of the work in progress; undefined outside requests and commands. */
export function currentContext(): RequestContext | undefined {
  return contexts.getStore();
}

/**
 * Tells whether what a request reads is of no use any more, because its client has left. Only of a GET or HEAD: others may have
 * begun what has to be finished. Nor before its key is judged: requests of the same key wait for one judgement.
 */
export function isForNobody({ method, exchange }: Carrier): boolean {
  if (!exchange?.principal || (method !== 'GET' && method !== 'HEAD')) return false;
  return exchange.response.destroyed && !exchange.response.writableFinished;
}

/** Returns the timeline of the request or the command in progress. */
export function currentTimeline(): Timeline | undefined {
  return contexts.getStore()?.timeline;
}

/** Returns the ids of a request. */
export function idsOf(request: Carrier): RequestIds {
  return idsWith(request, request[own]?.span);
}

/** Returns the ids of the request in progress; undefined outside requests. */
export function currentIds(): RequestIds | undefined {
  const { request, span } = contexts.getStore() ?? {};
  return request && idsWith(request, span);
}

function idsWith(request: IncomingMessage, span: Span | undefined): RequestIds {
  const traceId = span ? span.traceId : parentSpanOf(request)?.traceId;
  return { requestId: requestIdOf(request), traceId, spanId: span?.id };
}

/** Names the operation of a request, `POST /v1/pets (PetsController.addPet)`; undefined until its route is found. */
export function operationOf({ exchange }: Carrier): string | undefined {
  if (!exchange?.operation) return undefined;
  const { method, template, handlerName } = exchange.operation;
  return `${method} ${template} (${handlerName})`;
}

function contextOf(request: Carrier): RequestContext {
  return request[own] ?? { request };
}
