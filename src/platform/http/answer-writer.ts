import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request } from 'express';
import { InjectSettings } from '../config/settings.module';
import type { Settings } from '../config/settings';
import { baseAddress } from './base-address';
import { entityTag, matchesNone } from './conditional';
import type { Operation } from './operation';
import type { Created, Page } from './page';
import { requestIdOf } from './request-id';
import { compileSerializer, type Serializer } from './serializer';

/** Writes what handlers return, in the form the document promises. */
@Injectable()
export class AnswerWriter {
  private readonly serializers = new Map<Operation, Serializer>();

  constructor(@InjectSettings() private readonly settings: Settings) {}

  /** Compiles one serialiser an operation from the document's own schemas, so what is served is what is documented. */
  compile(operations: readonly Operation[], document: OpenAPIObject): void {
    for (const operation of operations) {
      if (operation.answer) this.serializers.set(operation, compileSerializer(operation, document));
    }
  }

  /** Whether {@link write} writes the answers of this operation. */
  handles(operation: Operation | undefined): operation is Operation & { answer: object } {
    return operation?.answer !== undefined;
  }

  /** @param result a DTO, a {@link Page} or a {@link Created}, as the operation's `@Answers…` says */
  write(request: Request, response: ServerResponse, operation: Operation, result: unknown): void {
    const serialize = this.serializers.get(operation) as Serializer;
    if (operation.answer?.kind === 'created') {
      const { item, path } = result as Created<unknown>;
      const version = /^\/[^/]+/.exec(operation.path)?.[0];
      response.setHeader('Location', `${version}${path}`);
      return send(request, response, 201, serialize(item), 'no-store');
    }
    if (operation.answer?.kind === 'one')
      return this.sendRepresentation(request, response, serialize(result));
    const page = result as Page<unknown>;
    const links = this.pageLinks(request, operation, page.next);
    if (links) response.appendHeader('Link', links);
    this.sendRepresentation(request, response, serialize(page.items));
  }

  /** Link targets of RFC 8288 that lead to the next page and back to the first. */
  private pageLinks(request: Request, operation: Operation, next: string | undefined): string {
    const { cursor, ...rest } = request.parameters ?? {};
    if (next === undefined && cursor === undefined) return '';
    const path = operation.path.replace(/^\/[^/]+/, '');
    const target = (parameters: Record<string, string>) => {
      const query = new URLSearchParams(parameters).toString();
      return `<${baseAddress(request, this.settings.publicBaseUrl)}${path}${query && `?${query}`}>`;
    };
    const links = [];
    if (next !== undefined) links.push(`${target({ ...rest, cursor: next })}; rel="next"`);
    if (cursor !== undefined) links.push(`${target(rest)}; rel="first"`);
    return links.join(', ');
  }

  private sendRepresentation(request: IncomingMessage, response: ServerResponse, body: string): void {
    const tag = entityTag(body);
    response.setHeader('ETag', tag);
    const condition = request.headers['if-none-match'];
    if (condition !== undefined && matchesNone(condition, tag)) {
      response.writeHead(304, commonHeaders(request, 'private, no-cache')).end();
      return;
    }
    send(request, response, 200, body, 'private, no-cache');
  }
}

/** Writes a whole JSON answer in one go; HEAD gets the same header fields and no body. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string,
  cacheControl: string,
): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...commonHeaders(request, cacheControl),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function commonHeaders(request: IncomingMessage, cacheControl: string) {
  return {
    'Cache-Control': cacheControl,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestIdOf(request),
  };
}
