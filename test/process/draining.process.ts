import { readdirSync, readFileSync } from 'node:fs';
import { createToken } from '../../src/platform/security/api-key-token';
import { acceptsConnections } from '../support/databases/accepts-connections';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { type PostgresServer, startPostgresServer } from '../support/databases/postgres-server';
import { RawConnection } from '../support/http/raw-http';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';

const key = createToken();
const cwd = makeFolder();
const CLEAN = { code: 0, signal: null };
const CUT = { code: 1, signal: null };

afterEach(() => endServiceProcesses());

function start(environment: Record<string, string>, nodeOptions: string[] = []): Promise<ServiceProcess> {
  return ServiceProcess.start(
    { MIGRATE_ON_START: 'true', BOOTSTRAP_API_KEY: key, ...environment },
    { cwd, nodeOptions },
  );
}

async function readiness(service: ServiceProcess): Promise<number> {
  const response = await service.fetch('/health/ready', key);
  await response.text();
  return response.status;
}

/** Sends the signal and waits until the service has seen it. */
async function beginStop(service: ServiceProcess): Promise<void> {
  service.signal('SIGTERM');
  await until(() => service.stderr.includes('The service is stopping.'));
}

describe('A service with a DRAIN_DELAY that is told to stop', () => {
  let database: TestDatabase;
  beforeEach(async () => (database = await createTestDatabase('sqlite')));
  afterEach(() => database.drop());

  it('is not ready any more at once, and goes on serving on connections with Connection: close', async () => {
    const service = await start({ DATABASE_URL: database.url, DRAIN_DELAY: '3600s' });
    expect(await readiness(service)).toBe(200);
    const kept = await RawConnection.open(service.port);
    const list = `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    kept.send(list);
    expect((await kept.nextResponse())?.headers.get('connection')).toEqual(['keep-alive']);

    await beginStop(service);
    expect(await readiness(service)).toBe(503);
    kept.send(list);
    const response = await kept.nextResponse();
    expect(response).toMatchObject({ status: 200, body: '[]' });
    expect(response?.headers.get('connection')).toEqual(['close']);
    expect(await kept.nextResponse()).toBeUndefined();
    const created = await service.post('/v1/pets', key, '{"name":"Late","categoryId":1}');
    expect([created.status, created.headers.get('connection')]).toEqual([201, 'close']);
    expect((await service.fetch('/health/live', key)).status).toBe(200);
    expect(await acceptsConnections('127.0.0.1', service.port)).toBe(true);
  });

  it('exits at once with 1 at a second signal of any kind', async () => {
    const service = await start({ DATABASE_URL: database.url, DRAIN_DELAY: '3600s' });
    await beginStop(service);
    expect(await service.kill('SIGINT')).toEqual(CUT);
  });

  it('closes its port after the delay, and exits with 0', async () => {
    const service = await start({ DATABASE_URL: database.url, DRAIN_DELAY: '1s' });
    await beginStop(service);
    expect(await service.ended).toEqual(CLEAN);
    expect(await acceptsConnections('127.0.0.1', service.port)).toBe(false);
  });
});

describe('A service whose PostgreSQL server hangs', () => {
  let server: PostgresServer;
  let frozen: number[] = [];
  beforeEach(async () => (server = await startPostgresServer()));
  afterEach(async () => {
    await endServiceProcesses();
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
    await server.stop();
  });

  it('exits in time with 0, and says so', async () => {
    const service = await start({ DATABASE_URL: server.url });
    // The use of the key is to be written at the end.
    expect((await service.fetch('/v1/pets', key)).status).toBe(200);
    frozen = [server.pid, ...childrenOf(server.pid)];
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
    // Which one depends on who gets the connection there is, and who waits for another.
    const lost = /^The database no longer answered|^The use of API keys could not be recorded/;
    expect(service.log()).toContainEqual(
      expect.objectContaining({ level: 40, msg: expect.stringMatching(lost) }),
    );
  });
});

describe('A service with an uncaught error', () => {
  it.each([
    ['rejection', 'Promise.reject(new Error("lost"))'],
    ['error', 'setImmediate(() => { throw new Error("lost"); })'],
  ])('logs the %s as fatal, and exits with 1', async (_kind, fault) => {
    const database = await createTestDatabase('sqlite');
    const code = `process.on('SIGUSR2', () => { ${fault} })`;
    const service = await start({ DATABASE_URL: database.url }, [
      '--import',
      `data:text/javascript,${encodeURIComponent(code)}`,
    ]);
    expect(await service.kill('SIGUSR2')).toEqual(CUT);
    expect(service.log()).toContainEqual(
      expect.objectContaining({ level: 60, err: expect.objectContaining({ message: 'lost' }) }),
    );
    await database.drop();
  });
});

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

/** Undefined when the process has gone since. */
function parentOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
  } catch {
    return undefined;
  }
}
