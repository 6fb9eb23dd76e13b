import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request } from 'express';
import { InjectSettings } from '../config/settings.module';
import type { Settings } from '../config/settings';
import type { AppError } from '../errors/app-error';
import { sendError } from '../errors/error-answer';
import { ServiceUnavailableError } from '../errors/http-errors';
import { baseAddress } from './base-address';
import { entityTag, matchesNone } from './conditional';
import type { Operation } from './operation';
import { BASE_PATH, pathUnderBase } from './operation-path';
import type { Created, Page } from './page';
import { Precondition } from './precondition';
import { RenderedAnswer } from './rendered-answer';
import { requestIdOf } from './request-id';
import { compileSerializer, type Serializer } from './serializer';
import { Snapshots } from './snapshots';
import { UnreadResponses } from './unread-responses';

/** Writes what handlers return, in the form the document promises. */
@Injectable()
export class AnswerWriter {
  private readonly serializers = new Map<Operation, Serializer>();
  /** What a GET of a path answers, or a PATCH where there is none. */
  private readonly representations = new Map<string, Serializer>();

  constructor(
    @InjectSettings() private readonly settings: Settings,
    private readonly snapshots: Snapshots,
    private readonly unread: UnreadResponses,
  ) {}

  /** Compiles one serialiser an operation from the document's own schemas, so what is served is what is documented. */
  compile(operations: readonly Operation[], document: OpenAPIObject): void {
    for (const operation of operations) {
      if (!operation.answer || operation.answer.kind === 'nothing') continue;
      const serialize = compileSerializer(operation, document);
      this.serializers.set(operation, serialize);
      if (operation.answer.kind === 'one') this.representations.set(operation.path, serialize);
    }
  }

  /** What a request says must hold of the resource it is to change. */
  preconditionOf(request: Request, operation: Operation): Precondition {
    const represent = this.representations.get(operation.path);
    const field = request.headers['if-match'];
    return represent
      ? new Precondition(field, (resource) => entityTag(represent(resource)))
      : Precondition.NONE;
  }

  /** Whether {@link write} writes the answers of this operation. */
  handles(operation: Operation | undefined): operation is Operation & { answer: object } {
    return operation?.answer !== undefined;
  }

  /** @param result a DTO, a {@link Page}, a {@link Created} or nothing, as the operation's `@Answers…` says */
  write(request: Request, response: ServerResponse, operation: Operation, result: unknown): void {
    if (operation.answer?.kind === 'nothing') {
      return void response.writeHead(204, commonFields(request, 'no-store')).end();
    }
    if (operation.answer?.kind === 'created') {
      const { status, body, location, isReplayed, errorCode } =
        result instanceof RenderedAnswer ? result : this.render(operation, result as Created<unknown>);
      if (errorCode !== undefined) request.errorCode = errorCode;
      return send(request, response, status, body, 'no-store', {
        ...(location !== null && { Location: location }),
        ...(isReplayed && { 'Idempotency-Replayed': 'true' }),
      });
    }
    const serialize = this.serializers.get(operation) as Serializer;
    if (operation.method === 'PATCH') {
      const body = serialize(result);
      return send(request, response, 200, body, 'no-store', { ETag: entityTag(body) });
    }
    if (operation.answer?.kind === 'one') return this.represent(request, response, serialize(result), {});
    const page = result as Page<unknown>;
    const links = [request.answerFields?.['Link'], this.pageLinks(request, operation, page.next)]
      .filter(Boolean)
      .join(', ');
    this.represent(request, response, serialize(page.items), links === '' ? {} : { Link: links });
  }

  /** The answer of an operation that creates something, to the byte. */
  render(operation: Operation, { item, path }: Created<unknown>): RenderedAnswer {
    const serialize = this.serializers.get(operation) as Serializer;
    return new RenderedAnswer(201, serialize(item), `${BASE_PATH}${path}`);
  }

  /**
   * Answers with the bytes the same request was answered with before, if the database has not changed since.
   *
   * @returns whether it did
   */
  repeat(request: Request, response: ServerResponse): boolean {
    const place = this.snapshots.place(request);
    if (!place) return false;
    const snapshot = this.snapshots.find(place);
    if (snapshot) this.sendRepresentation(request, response, snapshot.body, snapshot.fields);
    else request.snapshotPlace = place;
    return snapshot !== undefined;
  }

  private represent(request: Request, response: ServerResponse, body: string, links: Fields): void {
    const fields = { ETag: entityTag(body), ...links };
    if (request.snapshotPlace) this.snapshots.keep(request.snapshotPlace, body, fields);
    this.sendRepresentation(request, response, body, fields);
  }

  /** Responds with 200, or with 304 when the client has that representation already (RFC 9110, section 13). */
  private sendRepresentation(
    request: Request,
    response: ServerResponse,
    body: string,
    fields: Fields & { readonly ETag: string },
  ): void {
    const condition = request.headers['if-none-match'];
    if (condition !== undefined && matchesNone(condition, fields.ETag)) {
      response.writeHead(304, { ...commonFields(request, 'private, no-cache'), ...fields }).end();
    } else if (body.length > LARGE && request.method !== 'HEAD' && !this.unread.hasRoomFor(body.length)) {
      // Not thrown: that clients do not read is no fault to log.
      sendError(request, response, noRoomError());
    } else {
      send(request, response, 200, body, 'private, no-cache', fields);
    }
  }

  /** Link targets of RFC 8288 that lead to the next page and back to the first. */
  private pageLinks(request: Request, operation: Operation, next: string | undefined): string {
    const { cursor, ...rest } = request.parameters ?? {};
    if (next === undefined && cursor === undefined) return '';
    const path = pathUnderBase(operation);
    const target = (parameters: Record<string, string>) => {
      const query = Object.entries(parameters)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&');
      return `<${baseAddress(request, this.settings.publicBaseUrl)}${path}${query && `?${query}`}>`;
    };
    const links = [];
    if (next !== undefined) links.push(`${target({ ...rest, cursor: next })}; rel="next"`);
    if (cursor !== undefined) links.push(`${target(rest)}; rel="first"`);
    return links.join(', ');
  }
}

/** Header fields by name. */
type Fields = Readonly<Record<string, string>>;

/** From how many characters on a body may be more than the system takes from a process at once. */
const LARGE = 64 * 1024;

/** The response to a request for much when there is no room because other clients do not read what they asked for. */
function noRoomError(): AppError {
  return new ServiceUnavailableError({
    message: 'Too many large responses wait for their clients to read them; try again shortly.',
  });
}

/** Writes a whole JSON answer in one go; HEAD gets the same header fields and no body. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string,
  cacheControl: string,
  fields: Fields = {},
): void {
  // Of a text Node would keep both itself and its bytes until the client has read all of them.
  const content = body.length > LARGE ? Buffer.from(body) : body;
  // All fields in one call: Node writes them as they are, where fields set one by one are gathered first.
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(content),
    ...commonFields(request, cacheControl),
    ...fields,
  });
  response.end(request.method === 'HEAD' ? undefined : content);
}

function commonFields(
  request: IncomingMessage & Pick<Request, 'answerFields'>,
  cacheControl: string,
): Fields {
  return {
    ...request.answerFields,
    'Cache-Control': cacheControl,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestIdOf(request),
  };
}
