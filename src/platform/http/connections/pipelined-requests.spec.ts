import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expectLast } from '../../../../test/support/http/error-responses';
import { RawConnection } from '../../../../test/support/http/raw-http';
import { until } from '../../../../test/support/until';
import { PipelinedRequests } from './pipelined-requests';
import { type ArrivalTimeouts, serverOptions } from './server-options';
import { attachWireErrors } from './wire-errors';

const AN_HOUR = 3_600_000;
const READ_AHEAD = 4;
const MAX_WAITING = 1_000;
const MAX_BYTES = 400_000;
/** A request so long that one read holds fewer of them than may wait. */
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Filler: ${'a'.repeat(100)}\r\n\r\n`;

let server: Server;
let pipelined: PipelinedRequests;
/** Paths of the requests that have begun, in that order. */
let begun: string[];
/** Responses under way: the test ends them. */
let held: ServerResponse[];
/** Paths of the requests whose response was closed. */
let closed: string[];
let sockets: Socket[];
const clients: RawConnection[] = [];

async function listen(timeouts: ArrivalTimeouts): Promise<void> {
  server = createServer(serverOptions(timeouts));
  pipelined = new PipelinedRequests(server, {
    readAhead: READ_AHEAD,
    maxWaiting: MAX_WAITING,
    maxBytes: MAX_BYTES,
  });
  [begun, held, closed, sockets] = [[], [], [], []];
  const previousOf = new Map<ServerResponse, ServerResponse>();
  const observer = {
    begin: (_: unknown, response: ServerResponse, previous: ServerResponse | undefined) => {
      if (previous && !previous.writableFinished) previousOf.set(response, previous);
      response.on('close', () => closed.push(response.req.url as string));
    },
    refuse: () => undefined,
  };
  const refuseConnect = () => {
    throw new Error('No CONNECT was expected.');
  };
  attachWireErrors(server, refuseConnect, observer, pipelined);
  server.on('connection', (socket) => sockets.push(socket));
  server.on('request', (request, response) => {
    const work = () => {
      begun.push(request.url as string);
      if (request.url?.startsWith('/held')) held.push(response);
      else if (request.method === 'POST') request.resume().on('end', () => response.end());
      else response.end();
    };
    const previous = previousOf.get(response);
    if (previous) pipelined.defer(request, response, previous, work);
    else work();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

async function send(text: string): Promise<RawConnection> {
  const client = await RawConnection.open((server.address() as AddressInfo).port);
  clients.push(client);
  client.send(text);
  return client;
}

beforeEach(() => listen({ headersMs: AN_HOUR, requestMs: AN_HOUR }));
afterEach(async () => {
  clients.splice(0).forEach((client) => client.destroy());
  sockets.forEach((socket) => socket.destroy());
  await new Promise((ended) => server.close(ended));
});

describe('Pipelined requests', () => {
  it('begin one after the other, each when the response before it has ended', async () => {
    const client = await send(get('/held/1') + get('/held/2') + get('/3'));
    for (const next of ['/held/1', '/held/2']) {
      await until(() => begun.at(-1) === next);
      expect(pipelined.count).toBe(next === '/held/1' ? 2 : 1);
      held.shift()?.end();
      expect((await client.nextResponse())?.status).toBe(200);
    }
    expect((await client.nextResponse())?.status).toBe(200);
    expect(begun).toEqual(['/held/1', '/held/2', '/3']);
    expect(pipelined.count).toBe(0);
  });

  it('are all served although their connection is not read while some of them wait', async () => {
    const count = 5_000;
    const client = await send(get('/held') + get('/next').repeat(count));
    await until(() => pipelined.count > 0);
    const { bytesRead } = sockets[0] as Socket;
    // Bytes of one read, and of those before the pause.
    expect(bytesRead).toBeLessThanOrEqual(2 * 65_536);
    expect(pipelined.count).toBeGreaterThanOrEqual(READ_AHEAD);
    held.shift()?.end();
    await until(() => begun.length === count + 1);
    await until(() => pipelined.count === 0);
    await until(() => client.unread().match(/HTTP\/1\.1 200/g)?.length === count + 1);
  });

  it('are dropped and reported as ended when their client has gone', async () => {
    const client = await send(get('/held') + get('/never').repeat(50));
    await until(() => pipelined.count === 50);
    client.reset();
    held.shift()?.end();
    await until(() => closed.length === 51);
    expect(begun).toEqual(['/held']);
    expect(pipelined.count).toBe(0);
  });

  it('end the connection with the most of them when too many wait', async () => {
    const modest = await send(get('/held') + get('/modest').repeat(10));
    await until(() => pipelined.count === 10);
    const greedy = [1, 2, 3].map((i) => get(`/held/${i}`) + get('/greedy').repeat(MAX_WAITING));
    await Promise.all(greedy.map(send));
    await until(() => sockets.some(({ destroyed }) => destroyed));
    expect(pipelined.count).toBeLessThanOrEqual(MAX_WAITING);
    expect(sockets[0]?.destroyed).toBe(false);
    held[0]?.end();
    for (let i = 0; i < 11; i++) expect((await modest.nextResponse())?.status).toBe(200);
  });

  it('end the connection with the most bytes of them when these are too many', async () => {
    const modest = await send(get('/held') + get('/modest').repeat(3));
    await until(() => pipelined.count === 3);
    const long = `GET /long HTTP/1.1\r\nHost: a\r\nX-Filler: ${'a'.repeat(15_000)}\r\n\r\n`;
    let count = 0;
    while (sockets.every(({ destroyed }) => !destroyed)) {
      // Without the bound it would be hundreds.
      expect(++count).toBeLessThan(20);
      await send(get(`/held/${count}`) + long.repeat(READ_AHEAD));
      await until(() => begun.includes(`/held/${count}`) && pipelined.count >= 3 + READ_AHEAD);
    }
    expect(count).toBeGreaterThan(3);
    expect(sockets[0]?.destroyed).toBe(false);
    held[0]?.end();
    for (let i = 0; i < 4; i++) expect((await modest.nextResponse())?.status).toBe(200);
  });

  it('are refused in their turn when they are malformed', async () => {
    const client = await send(`${get('/held')}${get('/next')}nonsense\r\n\r\n`);
    await until(() => pipelined.count === 1);
    held.shift()?.end();
    expect((await client.nextResponse())?.status).toBe(200);
    expect((await client.nextResponse())?.status).toBe(200);
    expectLast({ ...(await client.nextResponse())!, closed: true }, 400, 'bad_request');
  });
});

describe('The time a request has to arrive', () => {
  beforeEach(async () => {
    await new Promise((ended) => server.close(ended));
    await listen({ headersMs: 200, requestMs: 200 });
    callLateAfter(AN_HOUR);
  });

  function callLateAfter(ms: number): void {
    Object.assign(server, { headersTimeout: ms, requestTimeout: ms });
  }

  /** Makes the service call the request late that is arriving behind those that wait. */
  async function outwait(): Promise<void> {
    const late = new Promise((resolve) => server.once('clientError', resolve));
    callLateAfter(1);
    await late;
    callLateAfter(AN_HOUR);
  }

  it('does not run out for a request that waits while its body arrives', async () => {
    const client = await send(`${get('/held')}POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na`);
    await until(() => pipelined.count === 1);
    await outwait();
    client.send('bc');
    held.shift()?.end();
    expect((await client.nextResponse())?.status).toBe(200);
    expect((await client.nextResponse())?.status).toBe(200);
  });

  it('does not run out for a request that is not read', async () => {
    const client = await send(get('/held') + get('/next').repeat(1_000));
    await until(() => pipelined.count >= READ_AHEAD);
    await outwait();
    held.shift()?.end();
    for (let i = 0; i <= 1_000; i++) expect((await client.nextResponse())?.status).toBe(200);
  });

  it('begins again when none waits any more', async () => {
    const client = await send(`${get('/held')}${get('/next')}GET /slow HTTP/1.1\r\n`);
    await until(() => pipelined.count === 1);
    await outwait();
    held.shift()?.end();
    expect((await client.nextResponse())?.status).toBe(200);
    expect((await client.nextResponse())?.status).toBe(200);
    callLateAfter(1);
    const late = await client.nextResponse();
    expectLast({ ...late!, closed: true }, 408, 'request_timeout');
  });
});
