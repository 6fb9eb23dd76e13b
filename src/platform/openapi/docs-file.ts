import type { Request, Response } from 'express';
import { entityTag, matchesNone } from '../http/response/conditional';
import { requestIdOf } from '../tracing/request-id';

/** A file of the docs, ready to be sent. */
export interface DocsFile {
  readonly type: string;
  readonly body: Buffer;
  readonly tag: string;
}

/** @param type media type, with its charset where it has one */
export function docsFile(type: string, content: string | Buffer): DocsFile {
  const body = Buffer.from(content);
  return { type, body, tag: entityTag(body) };
}

/**
 * The Content-Security-Policy of every file of the docs: nothing from elsewhere, no script or style in a page.
 *
 * @param services addresses "Try it out" may call besides this service
 */
export function docsPolicy(services: readonly string[]): string {
  const origins = [...new Set(services.map((address) => new URL(address).origin))];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Sends a file, or 304 to who has it (RFC 9110, section 13). HEAD gets the same header fields and no body. */
export function sendDocsFile(request: Request, response: Response, file: DocsFile, policy: string): void {
  response.setHeaders(
    new Map([
      // The names stay when a new version brings other contents, so every use asks whether they still hold.
      ['Cache-Control', 'no-cache'],
      ['Content-Security-Policy', policy],
      ['ETag', file.tag],
      ['Referrer-Policy', 'no-referrer'],
      ['X-Content-Type-Options', 'nosniff'],
      ['X-Request-Id', requestIdOf(request)],
    ]),
  );
  const condition = request.headers['if-none-match'];
  if (condition !== undefined && matchesNone(condition, file.tag)) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': file.type, 'Content-Length': file.body.length });
  response.end(request.method === 'HEAD' ? undefined : file.body);
}
