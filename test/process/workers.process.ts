import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { createToken } from '../../src/platform/security/api-key-token';
import { acceptsConnections } from '../support/databases/accepts-connections';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { RawConnection } from '../support/http/raw-http';
import { endServiceProcesses, ServiceProcess, type SpawnOptions } from '../support/processes/service-process';
import { until } from '../support/until';
import { endsOf, haveListened, isAlive, workersOf } from '../support/service/workers';

const key = createToken();
const cwd = makeFolder();
const CLEAN = { code: 0, signal: null };
const BODY = '{"name":"Slow","categoryId":3}';
const HEALTH = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';

let database: TestDatabase;
const started: ServiceProcess[] = [];

beforeEach(async () => {
  database = await createTestDatabase('sqlite');
});
afterEach(async () => {
  await endServiceProcesses();
  for (const service of started.splice(0)) {
    for (const { pid } of workersOf(service)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
  await database.drop();
});

async function start(
  environment: Record<string, string> = {},
  options: Partial<SpawnOptions> = {},
): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(
    { WORKERS: '2', DATABASE_URL: database.url, BOOTSTRAP_API_KEY: key, ...environment },
    { cwd, ...options },
  );
  started.push(service);
  return service;
}

function pidsOf(service: ServiceProcess): number[] {
  return workersOf(service).map(({ pid }) => pid);
}

/** Connections of one request each, which land on one worker after the other. */
async function connect(service: ServiceProcess, count: number): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  for (let i = 0; i < count; i++) {
    const connection = await RawConnection.open(service.port);
    expect(await isServed(connection)).toBe(true);
    connections.push(connection);
  }
  return connections;
}

/** Whether a request on the connection gets a response; it does not where the process at its other end is gone. */
async function isServed(connection: RawConnection): Promise<boolean> {
  connection.send(HEALTH);
  return (await connection.nextResponse().catch(() => undefined))?.status === 200;
}

/** A request that runs until the rest of its body is sent. */
async function openRequest(service: ServiceProcess): Promise<RawConnection> {
  const connection = await RawConnection.open(service.port);
  const fields = [
    'POST /v1/pets HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
    'Expect: 100-continue',
  ];
  connection.send(`${fields.join('\r\n')}\r\n\r\n`);
  expect((await connection.nextResponse())?.status).toBe(100);
  return connection;
}

async function expectCreated(connection: RawConnection): Promise<void> {
  connection.send(BODY);
  expect((await connection.nextResponse())?.status).toBe(201);
}

function hasClosed(service: ServiceProcess): Promise<void> {
  return until(async () => !(await acceptsConnections('127.0.0.1', service.port)));
}

function areGone(pids: readonly number[]): Promise<void> {
  return until(() => !pids.some((pid) => isAlive(pid)));
}

describe('The start of several workers', () => {
  it('is announced once, with one first key, when all listen, and they get connections in turn', async () => {
    const service = await start({ BOOTSTRAP_API_KEY: '', WORKERS: '3' });
    expect(
      workersOf(service)
        .map(({ worker }) => worker)
        .toSorted(),
    ).toEqual([1, 2, 3]);
    const lines = service.log().filter(({ msg }) => msg === 'The petstore service is listening.');
    expect(lines).toEqual([expect.objectContaining({ workers: 3, url: service.url })]);
    expect(service.stdout.match(/Stop the service with Ctrl\+C/g)).toHaveLength(1);
    expect((await service.fetch('/v1/pets', service.printedKey as string)).status).toBe(200);

    const connections = await connect(service, 6);
    const killed = pidsOf(service)[1] as number;
    process.kill(killed, 'SIGKILL');
    // Not until another has taken its place: on a busy machine idle connections are closed before that.
    await areGone([killed]);
    const served = await Promise.all(connections.map((connection) => isServed(connection)));
    expect(served.filter((isSo) => !isSo)).toHaveLength(2);
    await haveListened(service, 4);
  });

  it('gives them the options of Node and one management port, even when the default port is in use', async () => {
    const listener = createServer();
    // Another process may have it, which does as well.
    const isOurs = once(listener.listen(3001, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    await isOurs;
    const service = await start(
      { MANAGEMENT_PORT: '', WORKERS: '3' },
      { nodeOptions: ['--max-semi-space-size=7'] },
    );
    listener.close();
    for (const pid of pidsOf(service)) {
      const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      expect(commandLine).toContain('--max-semi-space-size=7');
    }
    const warnings = service.log().filter(({ level }) => Number(level) > 30);
    expect(warnings).toEqual([expect.objectContaining({ management: service.managementUrl })]);
    for (let i = 0; i < 8; i++) {
      const response = await fetch(`${service.managementUrl}/metrics`, {
        headers: { connection: 'close' },
      });
      expect(response.status).toBe(200);
    }
  });

  async function failure(environment: Record<string, string>): Promise<string[]> {
    const service = new ServiceProcess({ WORKERS: '3', ...environment }, { cwd });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.stdout).toBe('');
    return service.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  }

  it('that fails exits with 1 and one sentence', async () => {
    const listener = createServer();
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const { port } = listener.address() as AddressInfo;
    expect(await failure({ PORT: String(port), DATABASE_URL: database.url })).toEqual([
      `Port ${port} on 127.0.0.1 is in use; stop what listens there or choose another with PORT.`,
    ]);
    listener.close();
    await once(listener, 'close');
    expect(await failure({ DATABASE_URL: `postgres://unknown@127.0.0.1:${port}/petstore` })).toEqual([
      `The PostgreSQL database petstore at 127.0.0.1:${port} cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}.`,
    ]);
    expect(await failure({ PORT: '70000' })).toEqual(['PORT must be an integer from 0 to 65535.']);
  });
});

describe('A worker that exits', () => {
  it('by a crash is replaced, with a growing delay, while the others go on serving', async () => {
    const service = await start();
    const [steady] = workersOf(service);
    const delays: unknown[] = [];
    for (let crash = 0; crash < 3; crash++) {
      const { pid, worker } = workersOf(service).at(-1) as { pid: number; worker: number };
      process.kill(pid, 'SIGKILL');
      await until(() => endsOf(service).length > crash);
      expect((await service.fetch('/v1/pets', key)).status).toBe(200);
      expect(endsOf(service)[crash]).toMatchObject({ level: 50, pid, worker, how: 'SIGKILL' });
      delays.push(endsOf(service)[crash]?.delayMs);
      await haveListened(service, 3 + crash);
    }
    expect(delays).toEqual([250, 500, 1000]);
    expect(isAlive(steady?.pid ?? 0)).toBe(true);
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
  });

  it('because of a signal finishes its requests and is replaced', async () => {
    const service = await start();
    const requests = [await openRequest(service), await openRequest(service)];
    const [pid = 0] = pidsOf(service);
    process.kill(pid, 'SIGTERM');
    process.kill(pid, 'SIGTERM');
    process.kill(pid, 'SIGINT');
    await until(() => service.stderr.includes('The service is stopping.'));
    expect((await service.fetch('/v1/pets', key)).status).toBe(200);
    for (const request of requests) await expectCreated(request);
    await haveListened(service, 3);
    expect(endsOf(service)).toMatchObject([{ level: 40, pid, how: 'exit code 0' }]);
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
  });
});

describe('A service of several workers that is told to stop', () => {
  it('lets each worker finish its requests and exits with 0', async () => {
    const service = await start();
    const requests = [await openRequest(service), await openRequest(service)];
    service.signal('SIGTERM');
    await hasClosed(service);
    for (const request of requests) await expectCreated(request);
    expect(await service.ended).toEqual(CLEAN);
    await areGone(pidsOf(service));
    expect(endsOf(service)).toEqual([]);
  });

  it('by Ctrl+C to all its processes does the same', async () => {
    const service = await start({}, { through: ['setsid'] });
    const request = await openRequest(service);
    process.kill(-service.pid, 'SIGINT');
    await hasClosed(service);
    await expectCreated(request);
    expect(await service.ended).toEqual(CLEAN);
  });

  it('during its start exits with 0', async () => {
    const service = new ServiceProcess({ WORKERS: '2', DATABASE_URL: database.url }, { cwd });
    await until(() => service.stderr.includes('The database was migrated.'));
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
  });

  it('exits with 1 when a worker has failed meanwhile', async () => {
    const service = await start();
    const request = await openRequest(service);
    service.signal('SIGTERM');
    await hasClosed(service);
    for (const pid of pidsOf(service)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.log().at(-1)).toMatchObject({
      level: 50,
      msg: expect.stringContaining('of the workers did not stop properly.') as unknown,
    });
    request.destroy();
  });

  it('exits at once with 1, and all its workers, at a second signal', async () => {
    const service = await start();
    const request = await openRequest(service);
    service.signal('SIGTERM');
    await hasClosed(service);
    const began = performance.now();
    expect(await service.kill('SIGTERM')).toEqual({ code: 1, signal: null });
    await areGone(pidsOf(service));
    // The request alone would have had twenty.
    expect(performance.now() - began).toBeLessThan(15_000);
    request.destroy();
  });
});

describe('Workers whose primary is killed', () => {
  it('finish their requests and exit by themselves', async () => {
    const service = await start();
    const requests = [await openRequest(service), await openRequest(service)];
    service.signal('SIGKILL');
    await hasClosed(service);
    expect(pidsOf(service).map((pid) => isAlive(pid))).toEqual([true, true]);
    for (const request of requests) await expectCreated(request);
    await areGone(pidsOf(service));
  });
});
