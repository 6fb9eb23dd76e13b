import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createToken } from '../../src/platform/security/api-key-token';
import { acceptsConnections } from '../support/databases/accepts-connections';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { fetchExactPet, PetWriters } from '../support/samples/pet-writers';
import { RawConnection } from '../support/http/raw-http';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';

const key = createToken();
const cwd = makeFolder();
const CLEAN = { code: 0, signal: null };
const AN_HOUR = '3600000';

let database: TestDatabase;

afterEach(async () => {
  await endServiceProcesses();
  await database.drop();
});

function start(environment: Record<string, string> = {}): Promise<ServiceProcess> {
  return ServiceProcess.start(
    {
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      BOOTSTRAP_API_KEY: key,
      // A stop that waits for it to pass would exceed the limit of the test.
      REQUEST_TIMEOUT_MS: AN_HOUR,
      ...environment,
    },
    { cwd },
  );
}

const BODY = '{"name":"Slow","categoryId":3}';
const CREATE = [
  'POST /v1/pets HTTP/1.1',
  'Host: localhost',
  `Authorization: Bearer ${key}`,
  'Content-Type: application/json',
  `Content-Length: ${BODY.length}`,
  // The 100 that comes back says that the request runs and waits for its body.
  'Expect: 100-continue',
  '\r\n',
].join('\r\n');

/** A request that runs until the rest of its body is sent. */
async function openRequest(service: ServiceProcess): Promise<RawConnection> {
  const connection = await RawConnection.open(service.port);
  connection.send(CREATE);
  expect((await connection.nextResponse())?.status).toBe(100);
  return connection;
}

function hasClosed(service: ServiceProcess): Promise<void> {
  return until(async () => !(await acceptsConnections('127.0.0.1', service.port)));
}

describe('A service that is told to stop under load', () => {
  it.each([
    ['SIGTERM', 'sqlite'],
    ['SIGINT', 'sqlite'],
    ['SIGTERM', 'postgres'],
  ] as const)('by %s on %s exits with 0 and loses no acknowledged pet', async (signal, engine) => {
    database = await createTestDatabase(engine);
    const writers = new PetWriters(key);
    const service = await start();
    let left = randomInt(50, 200);
    writers.onAcknowledged = () => {
      if (--left === 0) service.signal(signal);
    };
    await writers.run(service, 8);
    expect(await service.ended).toEqual(CLEAN);

    const next = await start();
    const ids = [...writers.acknowledged.keys()];
    const found = await Promise.all(ids.map((id) => fetchExactPet(next, key, id)));
    expect(found).toEqual(ids.map((id) => ({ id, ...writers.acknowledged.get(id) })));
    expect(ids.length).toBeGreaterThanOrEqual(50);
    // On connections they kept: the service says that it is stopping.
    expect([...writers.refused.keys()].filter((status) => status !== 503)).toEqual([]);
  });
});

describe('A service that is told to stop', () => {
  beforeEach(async () => {
    database = await createTestDatabase('sqlite');
  });

  it('responds to the running request, closes its connection, keeps its write and exits with 0', async () => {
    const service = await start();
    const connection = await openRequest(service);
    service.signal('SIGTERM');
    await hasClosed(service);
    connection.send(BODY);
    const response = await connection.nextResponse();
    expect(response?.status).toBe(201);
    expect(response?.headers.get('connection')).toEqual(['close']);
    expect(await service.ended).toEqual(CLEAN);

    const next = await start();
    const { id } = JSON.parse(response?.body ?? '') as { id: number };
    expect(await fetchExactPet(next, key, String(id))).toMatchObject({ name: 'Slow', categoryId: '3' });
  });

  it('during its start finishes that, stops and exits with 0', async () => {
    const service = new ServiceProcess({ DATABASE_URL: database.url }, { cwd });
    await until(() => service.stderr.includes('The database was migrated.'));
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
  });

  it('before its packages are loaded exits with 0: process 1 of a container gets no signal without a handler', async () => {
    const preload = join(cwd, 'signalled.cjs');
    writeFileSync(
      preload,
      `require('module').registerHooks({ resolve(name, context, next) {
        if (name === './process/packages') process.kill(process.pid, 'SIGTERM');
        return next(name, context);
      } });`,
    );
    const service = new ServiceProcess(
      { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' },
      { cwd, nodeOptions: ['--require', preload] },
    );
    expect(await service.ended).toEqual(CLEAN);
  });

  it('exits at once with 1 at a second signal', async () => {
    const service = await start();
    await openRequest(service);
    service.signal('SIGTERM');
    await hasClosed(service);
    expect(await service.kill('SIGTERM')).toEqual({ code: 1, signal: null });
    // It ends with 1 as well when it has waited for the request.
    expect(service.stderr).not.toContain('were cut off');
  });

  it('does not wait for clients that have sent nothing or a part of a header, or were answered', async () => {
    const service = await start();
    const requests = [
      '',
      'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-Slow',
      'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ];
    const connections = await Promise.all(requests.map(() => RawConnection.open(service.port)));
    for (const [index, connection] of connections.entries()) connection.send(requests[index] as string);
    expect((await connections.at(-1)?.nextResponse())?.status).toBe(200);
    // TimedResponse on a later connection: the service has seen the earlier ones.
    await service.fetch('/health/live', key);
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
    expect(connections.map((connection) => connection.unread())).toEqual(['', '', '']);
  });

  it('does not wait longer than the request timeout for a request that never ends', async () => {
    // A third of it is long enough for its header section to arrive on a slow machine.
    const service = await start({ REQUEST_TIMEOUT_MS: '9000' });
    await openRequest(service);
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
  });
});
