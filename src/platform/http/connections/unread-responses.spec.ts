import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { until } from '../../../../test/support/until';
import { Metrics } from '../../telemetry/metrics';
import { UnreadResponses, type UnreadLimits } from './unread-responses';

const MB = 1_000_000;
/** More than the system takes of a response that its client does not read. */
const LARGE = Buffer.alloc(16 * MB, 'a');
const LIMITS: UnreadLimits = { maxBytes: 40 * MB, checkMs: 1_000, stalledChecks: 30, sparedChecks: 5 };

let metrics: Metrics;
let unread: UnreadResponses;
let server: Server;
/** The server's side of each connection, in the order of their requests. */
let sockets: Socket[];
let held: ServerResponse[];
const clients: Socket[] = [];

beforeEach(async () => {
  // The looks are the test's; connections are real and take the time they take.
  jest.useFakeTimers({ doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'performance', 'Date'] });
  metrics = new Metrics();
  unread = new UnreadResponses(metrics, LIMITS);
  sockets = [];
  held = [];
  server = createServer((request, response) => {
    if (!sockets.includes(request.socket)) sockets.push(request.socket);
    if (request.url === '/held') {
      held.push(response);
    } else if (request.url === '/begun') {
      response.write(LARGE);
    } else {
      response.end(request.url === '/large' ? LARGE : 'small');
      unread.add(response);
    }
  });
  unread.watch(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  clients.splice(0).forEach((client) => client.destroy());
  await new Promise((closed) => server.close(closed));
  jest.useRealTimers();
});

/** A client that sends requests and reads nothing unless the test does. */
async function ask(...paths: string[]): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  clients.push(client.on('error', () => undefined));
  await once(client, 'connect');
  const known = sockets.length;
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  await until(() => sockets.length > known);
  return client;
}

function looks(times: number): void {
  jest.advanceTimersByTime(times * LIMITS.checkMs);
}

/** Waits until the system takes no more of the data for a stalled client. */
async function stalled(socket: Socket): Promise<void> {
  let taken = -1;
  await until(() => {
    const before = taken;
    taken = takenOf(socket);
    return taken > 0 && taken === before;
  });
  looks(1);
}

function takenOf(socket: Socket): number {
  const { _handle } = socket as unknown as { _handle: { bytesWritten: number; writeQueueSize: number } };
  return _handle.bytesWritten - _handle.writeQueueSize;
}

async function count(name: string): Promise<Record<string, number>> {
  const { values = [] } = (await metrics.registry.getSingleMetric(name)?.get()) ?? {};
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels['reason'] ?? ''), value]));
}
const unreadBytes = async () => (await count('petstore_unread_response_bytes'))[''] as number;
const cut = () => count('petstore_unread_connections_cut_total');

describe('A response that is not read', () => {
  it('is cut off with its connection after 30 checks without a byte read', async () => {
    await ask('/large');
    const [socket] = sockets as [Socket];
    await stalled(socket);
    looks(28);
    expect(socket.destroyed).toBe(false);
    expect(await unreadBytes()).toBeGreaterThanOrEqual(LARGE.length);
    looks(2);
    expect(socket.destroyed).toBe(true);
    expect(await unreadBytes()).toBe(0);
    expect(await cut()).toEqual({ stalled: 1, room: 0 });
  });

  it('is cut off even while it is still being written', async () => {
    await ask('/begun');
    const [socket] = sockets as [Socket];
    await stalled(socket);
    looks(31);
    expect(socket.destroyed).toBe(true);
    expect(await cut()).toEqual({ stalled: 1, room: 0 });
  });

  it('is served whole to a client that reads slowly, however long that takes', async () => {
    const client = await ask('/large');
    const [socket] = sockets as [Socket];
    await stalled(socket);
    let received = 0;
    const read = () => (received += (client.read() as Buffer | null)?.length ?? 0);
    client.on('readable', () => undefined);
    for (let step = 0; step < 4; step++) {
      const taken = takenOf(socket);
      await until(() => read() > 0 && takenOf(socket) > taken);
      looks(20);
      expect(socket.destroyed).toBe(false);
    }
    await until(() => read() > LARGE.length);
    expect(await cut()).toEqual({ stalled: 0, room: 0 });
    await until(async () => (await unreadBytes()) === 0);
  });

  it('counts even while it waits behind another response of its connection', async () => {
    await ask('/large', '/large');
    await until(async () => (await unreadBytes()) >= 2 * LARGE.length);
    looks(31);
    expect(sockets[0]?.destroyed).toBe(true);
    expect(await unreadBytes()).toBe(0);
  });

  it('does not count while it is still being prepared', async () => {
    const client = await ask('/held', '/large');
    await until(async () => (await unreadBytes()) > 0);
    looks(100);
    expect(sockets[0]?.destroyed).toBe(false);
    held[0]?.end('held');
    let received = 0;
    client.on('data', (bytes) => (received += bytes.length)).resume();
    await until(() => received > LARGE.length);
    await until(async () => (await unreadBytes()) === 0);
  });

  it('no longer counts when its client has hung up', async () => {
    const client = await ask('/large', '/large');
    await until(async () => (await unreadBytes()) > 0);
    client.destroy();
    await until(async () => (await unreadBytes()) === 0);
    expect(await cut()).toEqual({ stalled: 0, room: 0 });
  });
});

describe('Responses that are not read', () => {
  it('end the connection that has stalled longest to make room for others', async () => {
    await ask('/large');
    await stalled(sockets[0] as Socket);
    looks(5);
    await ask('/large');
    await stalled(sockets[1] as Socket);
    expect(unread.hasRoomFor(MB)).toBe(true);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false]);
    expect(unread.hasRoomFor(LARGE.length)).toBe(true);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, false]);
    expect(await cut()).toEqual({ stalled: 0, room: 1 });
  });

  it('leave no room while no connection has stalled for long, and a response written anyway ends its connection', async () => {
    await ask('/large');
    await ask('/large');
    expect(unread.hasRoomFor(LARGE.length)).toBe(false);
    await ask('/large');
    await until(() => sockets[2]?.destroyed === true);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, true]);
    expect(await unreadBytes()).toBeLessThanOrEqual(LIMITS.maxBytes);
  });

  it('take no room while clients read', async () => {
    const client = await ask('/small');
    client.resume();
    await until(() => sockets[0]?.writableLength === 0);
    expect(await unreadBytes()).toBe(0);
    looks(100);
    expect(sockets[0]?.destroyed).toBe(false);
  });
});
