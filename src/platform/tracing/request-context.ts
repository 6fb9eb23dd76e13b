import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { parentSpanOf } from './traceparent';
import type { Timeline } from './timeline';
import type { Span } from './tracing';
import { requestIdOf } from './request-id';

const own = Symbol('context');

/** What serves a request, as far as those who do work for it need to know. */
interface Operation {
  readonly method: string;
  readonly template: string;
  readonly handlerName: string;
}

/** A request that carries its context. */
type Carrier = IncomingMessage & {
  [own]?: RequestContext;
  readonly exchange?: { readonly operation: Operation | undefined };
};

/** What is known of a request wherever its work has got to; of a command its timeline alone. */
export interface RequestContext {
  readonly request?: IncomingMessage;
  /** The span of the work in progress, when traces are recorded. */
  readonly span?: Span | undefined;
  /** Where what it does is noted. */
  readonly timeline?: Timeline | undefined;
}

/** How a request is named in the log. Members that are not known are undefined. */
export interface RequestIds {
  readonly requestId: string;
  /** Of the trace it belongs to: that of the parent span, or one begun here. */
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Gives a request that is traced its context, before anything of it is looked at. */
export function attachContext(context: RequestContext & { readonly request: Carrier }): void {
  context.request[own] = context;
}

/** Does the work of a request, so that {@link currentContext} gives its context however far that has got. */
export function inRequest<T>(request: Carrier, work: () => T, timeline?: Timeline): T {
  return inContext(timeline ? { request, span: request[own]?.span, timeline } : contextOf(request), work);
}

/** Does work that is no request's. */
export function inTimeline<T>(timeline: Timeline, work: () => T): T {
  return inContext({ timeline }, work);
}

/** Does work in a context, as a part of a request. */
export function inContext<T>(context: RequestContext, work: () => T): T {
  return contexts.run(context, work);
}

/** The context of the work in progress; undefined outside requests and commands. */
export function currentContext(): RequestContext | undefined {
  return contexts.getStore();
}

/** The timeline of the request or the command in progress. */
export function currentTimeline(): Timeline | undefined {
  return contexts.getStore()?.timeline;
}

/** The ids of a request. */
export function idsOf(request: Carrier): RequestIds {
  return idsWith(request, request[own]?.span);
}

/** The ids of the request in progress; undefined outside requests. */
export function currentIds(): RequestIds | undefined {
  const { request, span } = contexts.getStore() ?? {};
  return request && idsWith(request, span);
}

function idsWith(request: IncomingMessage, span: Span | undefined): RequestIds {
  const traceId = span ? span.traceId : parentSpanOf(request)?.traceId;
  return { requestId: requestIdOf(request), traceId, spanId: span?.id };
}

/** What serves a request, `POST /v1/pets (PetsController.addPet)`; undefined until its route is found. */
export function operationOf({ exchange }: Carrier): string | undefined {
  if (!exchange?.operation) return undefined;
  const { method, template, handlerName } = exchange.operation;
  return `${method} ${template} (${handlerName})`;
}

function contextOf(request: Carrier): RequestContext {
  return request[own] ?? { request };
}
