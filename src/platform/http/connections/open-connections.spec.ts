import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { acceptsConnections } from '../../../../test/support/databases/accepts-connections';
import { expectError } from '../../../../test/support/http/error-responses';
import { RawConnection } from '../../../../test/support/http/raw-http';
import { fakeOnly } from '../../../../test/support/fake-only';
import { until } from '../../../../test/support/until';
import { sendError } from '../exchange/error-response';
import { type ArrivalTimeouts, serverOptions } from './server-options';
import { attachWireErrors, wireFault } from './wire-errors';
import { stoppingError } from '../service-state';
import { isLate, OpenConnections } from './open-connections';

const AN_HOUR = 3_600_000;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** A server whose responses the test releases, with the requests that it has carried out. */
class HeldServer {
  readonly connections: OpenConnections;
  readonly served: string[] = [];
  readonly held = new Map<string, ServerResponse>();
  private readonly server: Server;

  constructor(timeouts: ArrivalTimeouts = { headersMs: AN_HOUR, requestMs: AN_HOUR }) {
    this.server = createServer(serverOptions(timeouts), (request, response) =>
      this.handle(request, response),
    );
    // Only the code under test ends a connection.
    this.server.keepAliveTimeout = AN_HOUR;
    this.connections = new OpenConnections(this.server);
    attachWireErrors(this.server, stoppingError, {
      begin: (request, response, previous) => this.connections.begin(request, response, previous),
      refuse: () => undefined,
    });
  }

  /** Reports requests that take longer to arrive as late from now on. */
  callLateAfter(ms: number): void {
    Object.assign(this.server, { headersTimeout: ms, requestTimeout: ms });
  }

  async listen(): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async connect(...paths: string[]): Promise<RawConnection> {
    const connection = await RawConnection.open(this.port);
    for (const path of paths) await this.send(connection, path);
    return connection;
  }

  /** Sends a request and waits until the server has it. */
  async send(connection: RawConnection, path: string): Promise<void> {
    connection.send(get(path));
    await until(() => this.served.includes(path));
  }

  release(path: string): void {
    this.held.get(path)?.end(path);
  }

  /** Ends everything that a test left behind. */
  async stop(): Promise<void> {
    for (const path of this.held.keys()) this.release(path);
    await this.connections.drain(0);
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url as string;
    const fault = wireFault(request) ?? (isLate(request) ? stoppingError() : undefined);
    this.served.push(fault ? `${path} ${fault.status}` : path);
    if (fault) return sendError(request, response, fault);
    this.held.set(path, response);
    if (path.startsWith('/begun')) response.write('begun ');
    if (path === '/at-once') response.end(path);
  }
}

let server: HeldServer;
beforeEach(async () => {
  server = new HeldServer();
  await server.listen();
});
afterEach(() => server.stop());

/** The next response, in short. */
async function next(
  connection: RawConnection,
): Promise<{ status: number; body: string; connection: unknown }> {
  const response = await connection.nextResponse();
  if (!response) throw new Error('The connection was closed.');
  return {
    status: response.status,
    body: response.body,
    connection: response.headers.get('connection')?.join(),
  };
}

describe('A server that serves', () => {
  it('carries out no request of a client that reset its connection before it was accepted', async () => {
    const leave = `
      const [port, text] = process.argv.slice(1);
      const socket = require('node:net').connect(Number(port), '127.0.0.1', () => {
        socket.write(text, () => socket.resetAndDestroy());
      });`;
    // The server accepts nothing meanwhile.
    execFileSync(process.execPath, ['-e', leave, String(server.port), get('/gone')]);
    await server.connect('/next');
    expect(server.served).toEqual(['/next']);
  });
});

describe('A server that leaves', () => {
  it('sends Connection: close with each response, even to running requests, and takes new connections', async () => {
    const [running, idle] = await Promise.all([server.connect('/running'), server.connect()]);
    server.connections.leave();
    server.release('/running');
    expect(await next(running)).toEqual({ status: 200, body: '/running', connection: 'close' });
    expect(await running.nextResponse()).toBeUndefined();
    for (const connection of [idle, await server.connect()]) {
      connection.send(get('/at-once'));
      expect(await next(connection)).toMatchObject({ status: 200, connection: 'close' });
      expect(await connection.nextResponse()).toBeUndefined();
    }
  });

  it('sends Connection: close to an HTTP/1.0 client that asked to keep its connection', async () => {
    server.connections.leave();
    const connection = await server.connect();
    connection.send('GET /at-once HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
    expect(await next(connection)).toMatchObject({ status: 200, connection: 'close' });
    expect(await connection.nextResponse()).toBeUndefined();
  });

  it('closes a connection after the last of its pipelined requests', async () => {
    const connection = await server.connect('/1');
    server.connections.leave();
    await server.send(connection, '/2');
    await server.send(connection, '/3');
    ['/3', '/1', '/2'].forEach((path) => server.release(path));
    expect(await next(connection)).toMatchObject({ body: '/1', connection: 'keep-alive' });
    expect(await next(connection)).toMatchObject({ body: '/2', connection: 'keep-alive' });
    expect(await next(connection)).toMatchObject({ body: '/3', connection: 'close' });
    expect(await connection.nextResponse()).toBeUndefined();
  });

  it('serves a request that was sent after a response whose header section had promised to keep the connection', async () => {
    const connection = await server.connect('/begun');
    server.connections.leave();
    await server.send(connection, '/at-once');
    server.release('/begun');
    expect(await next(connection)).toMatchObject({ body: 'begun /begun', connection: 'keep-alive' });
    expect(await next(connection)).toMatchObject({ status: 200, body: '/at-once', connection: 'close' });
    expect(await connection.nextResponse()).toBeUndefined();
  });

  it('runs no request that was sent after a response with Connection: close', async () => {
    server.connections.leave();
    const connection = await server.connect('/begun');
    connection.send(get('/after'));
    await until(() => server.served.length === 2);
    server.release('/begun');
    expect(await next(connection)).toMatchObject({ body: 'begun /begun', connection: 'close' });
    expect(await connection.nextResponse()).toBeUndefined();
    expect(server.served).toEqual(['/begun', '/after 400']);
  });
});

describe('A server that drains', () => {
  it('takes no new connection, finishes running requests, and closes their connections', async () => {
    const connection = await server.connect('/running');
    const { port } = server;
    const drained = server.connections.drain(AN_HOUR);
    expect(await acceptsConnections('127.0.0.1', port)).toBe(false);
    server.release('/running');
    expect(await next(connection)).toEqual({ status: 200, body: '/running', connection: 'close' });
    expect(await connection.nextResponse()).toBeUndefined();
    connection.end();
    expect(await drained).toBe(0);
  });

  it('responds with 503 to late requests on a kept connection, and on one behind a request that runs', async () => {
    const [kept, busy] = await Promise.all([server.connect('/at-once'), server.connect('/running')]);
    expect(await next(kept)).toMatchObject({ connection: 'keep-alive' });
    // Idle connections are ended when the test says so, with the late requests on them.
    fakeOnly(['setTimeout', 'clearTimeout']);
    const drained = server.connections.drain(AN_HOUR);
    kept.send(get('/late'));
    busy.send(get('/later') + get('/latest'));
    await until(() => server.served.length === 5);
    jest.useRealTimers();
    expectError(await kept.nextResponse(), 503, 'service_unavailable');
    expect(await kept.nextResponse()).toBeUndefined();
    server.release('/running');
    expect(await next(busy)).toMatchObject({ status: 200, body: '/running', connection: 'keep-alive' });
    expect(await next(busy)).toMatchObject({ status: 503, connection: 'close' });
    expect(await busy.nextResponse()).toBeUndefined();
    kept.end();
    busy.end();
    expect(await drained).toBe(0);
  });

  it('ends a connection although its response has already promised to keep it', async () => {
    const [connection, idle] = await Promise.all([server.connect('/begun'), server.connect()]);
    const drained = server.connections.drain(AN_HOUR);
    expect(await idle.nextResponse()).toBeUndefined();
    server.release('/begun');
    expect(await next(connection)).toMatchObject({ body: 'begun /begun', connection: 'keep-alive' });
    expect(await connection.nextResponse()).toBeUndefined();
    expect(await drained).toBe(0);
  });

  it.each([
    ['nothing', ''],
    ['a part of a request', 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow'],
  ])('does not wait for a client that sent %s, nor for one that does not go', async (_name, bytes) => {
    const connection = await server.connect();
    connection.send(bytes);
    expect(await server.connections.drain(AN_HOUR)).toBe(0);
    expect(await connection.nextResponse()).toBeUndefined();
  });

  it('still ends requests that do not arrive in time', async () => {
    await server.stop();
    server = new HeldServer({ headersMs: 300, requestMs: 300 });
    server.callLateAfter(AN_HOUR);
    await server.listen();
    const connection = await server.connect();
    connection.send('POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc');
    await until(() => server.served.length === 1);
    const drained = server.connections.drain(AN_HOUR);
    server.callLateAfter(1);
    expectError(await connection.nextResponse(), 408, 'request_timeout');
    connection.end();
    expect(await drained).toBe(0);
  });

  it('cuts off requests that exceed the grace period, and reports their number', async () => {
    const connections = await Promise.all([server.connect('/1'), server.connect('/2'), server.connect()]);
    expect(await server.connections.drain(50)).toBe(2);
    for (const connection of connections) expect(await connection.nextResponse()).toBeUndefined();
  });

  it('leaves other servers of the process alone', async () => {
    const other = new HeldServer();
    await other.listen();
    await server.connections.drain(AN_HOUR);
    const connection = await other.connect('/at-once');
    expect(await next(connection)).toMatchObject({ status: 200, connection: 'keep-alive' });
    connection.destroy();
    await other.stop();
  });

  it('can be drained twice', async () => {
    const connection = await server.connect('/running');
    const drained = Promise.all([server.connections.drain(AN_HOUR), server.connections.drain(AN_HOUR)]);
    server.release('/running');
    connection.end();
    expect(await drained).toEqual([0, 0]);
  });
});
