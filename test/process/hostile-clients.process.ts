import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { exchange, RawConnection } from '../support/http/raw-http';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';

const key = createToken();
const cwd = makeFolder();
const GET = `GET /v1/pets?limit=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
const PET = '{"name":"Rex","categoryId":3}';
const createHead = (length: number) =>
  'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
  `Authorization: Bearer ${key}\r\nContent-Length: ${length}\r\n\r\n`;

let database: TestDatabase;
let service: ServiceProcess;

beforeAll(async () => {
  database = await createTestDatabase('sqlite');
  service = await ServiceProcess.start(
    { DATABASE_URL: database.url, BOOTSTRAP_API_KEY: key },
    // A gross bound on memory: beyond it V8 ends the process. It idles at about a half of this.
    { cwd, nodeOptions: ['--max-old-space-size=96'] },
  );
});
afterAll(async () => {
  await endServiceProcesses();
  await database.drop();
});

let pets = 0;

/** That the service serves as if nothing had been: it reads and writes, and holds no pet but those added here. */
async function expectSound(): Promise<void> {
  const created = await service.post('/v1/pets', key, PET);
  expect(created.status).toBe(201);
  const listed = await service.fetch('/v1/pets?limit=100', key);
  expect(await listed.json()).toHaveLength(++pets);
  expect(service.warnings()).toEqual([]);
}

function openMany(count: number): Promise<RawConnection[]> {
  return Promise.all(Array.from({ length: count }, () => RawConnection.open(service.port)));
}

describe('One service with hostile clients', () => {
  it('responds with 400 to bytes that are not HTTP and goes on', async () => {
    const tlsHello = Buffer.from('1603010200010001fc0303', 'hex');
    const samples = [tlsHello, Buffer.from('\r\n\r\n\0\0'), ...Array.from({ length: 100 }, noise)];
    const responses = await Promise.all(samples.map((bytes) => exchange(service.port, bytes)));
    const bad = responses
      .flat()
      .map(({ status, body }) => [status, (JSON.parse(body) as { code: string }).code]);
    expect(bad).toEqual(samples.map(() => [400, 'bad_request']));
    await expectSound();
  });

  it('responds to each of 2,000 pipelined requests in order', async () => {
    const statuses = Array.from({ length: 2_000 }, (_, i) => (i % 2 === 0 ? 200 : 404));
    const requests = statuses.map((status) => (status === 200 ? GET : GET.replace('pets?', 'nothing?')));
    const responses = await exchange(service.port, requests.join(''), { responses: statuses.length });
    expect(responses.map(({ status }) => status)).toEqual(statuses);
    await expectSound();
  });

  it('survives clients that send requests without end and never read a response', async () => {
    const flood = GET.repeat(1_000);
    const sockets = await Promise.all(Array.from({ length: 4 }, openUnread));
    for (const socket of sockets) {
      for (let i = 0; i < 100; i++) socket.write(flood);
    }
    await expectSound();
    sockets.forEach((socket) => socket.destroy());
    await expectSound();
  });

  it('survives clients that hang up within a body, and stores nothing of it', async () => {
    const connections = await openMany(300);
    const half = Buffer.alloc(50_000, ' ');
    connections.forEach((connection) => {
      connection.send(createHead(100_000));
      connection.send(half);
    });
    await expectSound();
    connections.forEach((connection, i) => (i % 2 === 0 ? connection.reset() : connection.destroy()));
    await until(async () => (await service.fetch('/health/ready', key)).status === 200);
    await expectSound();
  });
});

function noise(): Buffer {
  const bytes = randomBytes(1_000);
  // Neither a line break, which may be skipped before a request, nor the beginning of a method.
  bytes[0] = 0x80;
  return bytes;
}

async function openUnread(): Promise<Socket> {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  await new Promise((resolve) => socket.once('connect', resolve));
  // The service may hang up: the request it is in the middle of is late, when it reads on at last.
  return socket.on('error', () => undefined).pause();
}
