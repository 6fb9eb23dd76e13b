import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { sendError } from '../../../src/platform/http/exchange/error-response';
import {
  InternalError,
  MethodNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
} from '../../../src/platform/errors/http-errors';
import { serverOptions, type ArrivalTimeouts } from '../../../src/platform/http/connections/server-options';
import {
  allowContinue,
  attachWireErrors,
  wireFault,
} from '../../../src/platform/http/connections/wire-errors';

/** The Allow of the server's responses that concern no path. */
export const WIRE_ALLOW = 'GET, HEAD, OPTIONS, POST';

const TIMEOUTS: ArrivalTimeouts = { headersMs: 10_000, requestMs: 30_000 };

/** A bare HTTP server with the wire errors attached; what it does is chosen by the path. */
export class WireServer {
  /** `METHOD target` of each request that passed {@link wireFault}. */
  readonly served: string[] = [];
  /** Messages of the errors that readers of a body met. */
  readonly bodyErrors: string[] = [];
  /** How many faults the HTTP parser and its timers have reported. */
  faults = 0;
  /** Lets a request of `/held` go on. */
  release: () => void = () => undefined;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.handle(request, response));
    server.on('clientError', () => (this.faults += 1));
  }

  static async start(timeouts = TIMEOUTS): Promise<WireServer> {
    const server = createServer(serverOptions(timeouts));
    const wireServer = new WireServer(server);
    const refuseConnect = () => new MethodNotAllowedError({ headers: { Allow: WIRE_ALLOW } });
    attachWireErrors(server, refuseConnect, { begin: () => undefined, refuse: () => undefined });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return wireServer;
  }

  /** Makes requests that take longer to arrive count as late from now on. */
  callLateAfter(ms: number): void {
    Object.assign(this.server, { headersTimeout: ms, requestTimeout: ms });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** How many connections are open. */
  connections(): Promise<number> {
    return promisify(this.server.getConnections.bind(this.server))();
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = wireFault(request);
    if (fault !== undefined) {
      sendError(request, response, fault);
      return;
    }
    this.served.push(`${request.method} ${request.url}`);
    switch (request.url) {
      case '/refused':
        sendError(request, response, new NotFoundError());
        return;
      case '/refused-twice':
        sendError(request, response, new NotFoundError());
        sendError(request, response, new InternalError());
        return;
      case '/too-large':
        request.once('data', () => {
          request.pause();
          sendError(request, response, new PayloadTooLargeError());
        });
        return;
      case '/marked':
        response.setHeader('Deprecation', '@1').setHeader('Link', ['<a>; rel="x"', '<b>; rel="y"']);
        sendError(request, response, new NotFoundError({ message: 'Nö.', headers: { 'X-Extra': '1' } }));
        return;
      case '/begun':
        response.writeHead(200, { 'Content-Length': '10' });
        response.write('begun', () => sendError(request, response, new InternalError()));
        return;
      case '/held':
        await new Promise<void>((resolve) => (this.release = resolve));
        response.end('held');
        return;
      case '/body':
        await this.readBody(request, response);
        return;
      default:
        response.end('served');
    }
  }

  private async readBody(request: IncomingMessage, response: ServerResponse): Promise<void> {
    allowContinue(request, response);
    try {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) {
        body += chunk;
      }
      response.end(body);
    } catch (error) {
      this.bodyErrors.push((error as Error).message);
      sendError(request, response, new InternalError());
    }
  }
}
