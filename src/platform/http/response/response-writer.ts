import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { AppError } from '../../errors/app-error';
import { ChangedRecords } from './changed-records';
import { endTogether } from '../exchange/end-together';
import { sendError } from '../exchange/error-response';
import { OverloadedError } from '../../errors/http-errors';
import { entityTag, isConditional, matchesNone } from '../request/conditional';
import { type Endpoint, type Exchange, exchangeOf, type Serializer } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import { BASE_PATH } from '../../values/operation-path';
import { ServiceAddress } from '../../values/service-address';
import type { Created } from './created';
import type { Page } from '../../database/statements/page';
import { RenderedResponse } from '../exchange/rendered-response';
import { ListRoom } from './list-room';
import { requestIdOf } from '../../tracing/request-id';
import { ResponseCache } from './response-cache';
import { UnreadResponses } from '../connections/unread-responses';

/** Writes the results of handlers, in the form that the document promises. */
@Injectable()
export class ResponseWriter {
  constructor(
    private readonly address: ServiceAddress,
    private readonly cache: ResponseCache,
    private readonly unread: UnreadResponses,
    private readonly changed: ChangedRecords,
    private readonly lists: ListRoom,
  ) {}

  /** @param result a DTO, a {@link Page}, a {@link Created} or nothing, as the operation's `@…Response` says */
  write(exchange: Exchange, result: unknown): void {
    const { request, response } = exchange;
    const { operation, serialize, change } = exchange.endpoint as Endpoint & {
      readonly serialize: Serializer;
    };
    const kind = operation.response?.kind;
    if (kind === 'created' || (kind === 'one' && !isConditional(operation))) {
      if (exchange.attempt && !exchange.rendered) {
        throw new Error(`${operation.handlerName} has @Once() and did not give it the work.`);
      }
      const { status, body, location, isReplayed, error } =
        exchange.rendered ?? this.render(operation, serialize, result);
      exchange.error = error;
      if (kind === 'created' && location !== null && !isReplayed && !error) {
        exchange.createdId = location.slice(location.lastIndexOf('/') + 1);
      }
      // A repeated response is about the work of an earlier request.
      if (change && !isReplayed && !error) this.changed.note(exchange, change, location);
      const content = begin(request, response, status, body, 'no-store', {
        ...(status === 200 && { ETag: entityTag(body) }),
        ...(location !== null && { Location: this.address.prefix + location }),
        ...(isReplayed && { 'Idempotency-Replayed': 'true' }),
      });
      // At once: writes that share a commit end together as it is, and the next ones meet while these are sent.
      return void response.end(content);
    }
    if (change) this.changed.note(exchange, change);
    if (kind === 'nothing') return endTogether(response.writeHead(204, commonFields(request, 'no-store')));
    if (kind === 'one') return this.represent(exchange, serialize(result), {});
    const page = result as Page<unknown>;
    const links = [exchange.responseFields?.['Link'], this.pageLinks(exchange, page.next)]
      .filter(Boolean)
      .join(', ');
    const body = serialize(page.items);
    this.represent(exchange, body, links === '' ? {} : { Link: links });
    this.lists.made(exchange, page.items.length, body.length);
  }

  /** The response of an operation that creates or changes something, to the byte. */
  render({ response }: Operation, serialize: Serializer, result: unknown): RenderedResponse {
    if (response?.kind === 'one') return new RenderedResponse(200, serialize(result), null);
    const { item, path } = result as Created<unknown>;
    return new RenderedResponse(201, serialize(item), `${BASE_PATH}${path}`);
  }

  /** Responds with the bytes that the same request got before, if the database has not changed since. */
  repeat(exchange: Exchange): void {
    const entry = this.cache.entryFor(exchange);
    if (!entry) return;
    const cached = this.cache.find(entry);
    if (cached) this.sendRepresentation(exchange.request, exchange.response, cached.body, cached.fields);
    else exchange.cacheEntry = entry;
  }

  private represent({ request, response, cacheEntry }: Exchange, body: string, links: Fields): void {
    const fields = { ETag: entityTag(body), ...links };
    if (cacheEntry) this.cache.store(cacheEntry, body, fields);
    this.sendRepresentation(request, response, body, fields);
  }

  /** Responds with 200, or with 304 when the client has that representation already (RFC 9110, section 13). */
  private sendRepresentation(
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
    fields: Fields & { readonly ETag: string },
  ): void {
    const condition = request.headers['if-none-match'];
    if (condition !== undefined && matchesNone(condition, fields.ETag)) {
      endTogether(response.writeHead(304, { ...commonFields(request, 'private, no-cache'), ...fields }));
    } else if (body.length > LARGE && request.method !== 'HEAD' && !this.unread.hasRoomFor(body.length)) {
      // Not thrown: that clients do not read is no fault to log.
      sendError(request, response, noRoomError());
    } else {
      send(request, response, 200, body, 'private, no-cache', fields);
    }
  }

  /** Link targets of RFC 8288 that lead to the next page and back to the first. */
  private pageLinks({ request, path, parameters }: Exchange, next: string | undefined): string {
    const { cursor } = parameters;
    if (next === undefined && cursor === undefined) return '';
    const address = this.address.rootFor(request) + inLink(path);
    const query = queryWithoutCursor(parameters);
    const links = [];
    if (next !== undefined) {
      links.push(`<${address}?${query}${query && '&'}cursor=${encodeURIComponent(next)}>; rel="next"`);
    }
    if (cursor !== undefined) links.push(`<${address}${query && `?${query}`}>; rel="first"`);
    return links.join(', ');
  }
}

function queryWithoutCursor(parameters: Exchange['parameters']): string {
  let query = '';
  for (const name in parameters) {
    if (name === 'cursor') continue;
    const value = parameters[name] as string | string[];
    const text =
      typeof value === 'string' ? encodeURIComponent(value) : value.map(encodeURIComponent).join(`&${name}=`);
    query += `${query && '&'}${name}=${text}`;
  }
  return query;
}

/** Escapes a path for angle brackets: the parser lets characters pass that a URI may not have. */
function inLink(path: string): string {
  return path.replaceAll(/[<>"\\^`{|}]/g, encodeURIComponent);
}

/** Header fields by name. */
type Fields = Readonly<Record<string, string>>;

/** Characters from which on a body may be more than the system takes from a process at once. */
const LARGE = 64 * 1024;

/** Returns the error for a large response without room, because other clients do not read theirs. */
function noRoomError(): AppError {
  return new OverloadedError({
    message: 'Too many large responses wait for their clients to read them; try again shortly.',
  });
}

/** Writes a whole JSON response; HEAD gets the same header fields and no body. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string,
  cacheControl: string,
  fields: Fields = {},
): void {
  endTogether(response, begin(request, response, status, body, cacheControl, fields));
}

/** Writes the header fields of a whole JSON response, and returns what it is to be ended with. */
function begin(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string,
  cacheControl: string,
  fields: Fields,
): string | Buffer | undefined {
  // Of a text Node would keep both itself and its bytes until the client has read all of them.
  const content = body.length > LARGE ? Buffer.from(body) : body;
  // All fields in one call: Node writes them as they are, where fields set one by one are gathered first.
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(content),
    ...commonFields(request, cacheControl),
    ...fields,
  });
  return request.method === 'HEAD' ? undefined : content;
}

function commonFields(request: IncomingMessage, cacheControl: string): Fields {
  return {
    ...exchangeOf(request)?.responseFields,
    'Cache-Control': cacheControl,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestIdOf(request),
  };
}
