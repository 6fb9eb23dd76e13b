import type { Request, Response } from 'express';
import { hasEnded } from '../exchange/end-together';
import { closeAfterResponse } from '../exchange/lingering-close';
import { requestIdOf } from '../../tracing/request-id';

/**
 * A response that a handler has composed as a whole, status and header fields included: pages, which the documented
 * interface knows nothing of.
 */
export class ComposedResponse {
  /** @param headers without X-Request-Id and Content-Length */
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string | readonly string[]>>,
    readonly body: string | Buffer = '',
  ) {}

  /** Writes it; HEAD gets the same header fields and no body. Of two responses to one request the first is sent. */
  send(request: Request, response: Response): void {
    if (hasEnded(response)) return;
    if (response.headersSent) {
      request.socket.destroy();
      return;
    }
    response.setHeaders(new Map(Object.entries(this.headers)));
    response.setHeader('X-Request-Id', requestIdOf(request));
    response.setHeader('Content-Length', Buffer.byteLength(this.body));
    response.writeHead(this.status);
    if (!response.shouldKeepAlive || response.getHeader('connection') === 'close') {
      closeAfterResponse(request.socket);
    }
    response.end(request.method === 'HEAD' ? undefined : this.body);
  }
}
