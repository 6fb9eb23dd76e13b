import { DataSource } from 'typeorm';
import { Database } from '../../src/platform/database/database';
import { migrate } from '../../src/platform/database/schema/migrate';
import { ServiceState } from '../../src/platform/http/service-state';
import { createTestDatabase, describeOneEngine, type TestDatabase } from '../support/databases/databases';
import { freePort } from '../support/processes/free-port';
import { type PostgresServer, startPostgresServer } from '../support/databases/postgres-server';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { Scrape } from './support/scrape';
import { useService } from './support/service';
import { runSql } from './support/sql';
import { type StartedService, startOn } from './support/start';

interface Health {
  readonly status: string;
  readonly lifecycle: string;
  readonly checks: Record<
    string,
    { readonly status: string; readonly reason?: string; readonly unknown?: readonly string[] }
  >;
}

interface HealthResponse extends Health {
  /** The status of HTTP. */
  readonly httpStatus: number;
}

/** The health of a service once that is in time: a busy machine is not what these tests are about. */
async function health(
  service: { readonly managementUrl: string },
  path = '/health',
): Promise<HealthResponse> {
  let told: HealthResponse | undefined;
  await until(async () => {
    told = await healthNow(service, path);
    return !JSON.stringify(told).includes('"saturated"');
  });
  return told as HealthResponse;
}

async function healthNow(
  { managementUrl }: { readonly managementUrl: string },
  path: string,
): Promise<HealthResponse> {
  const response = await fetch(`${managementUrl}${path}`);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  return { ...((await response.json()) as Health), httpStatus: response.status };
}

const isReady = async (service: { readonly managementUrl: string }) =>
  (await Scrape.of(service)).value('petstore_ready');

describeOneEngine('The health details', (engine) => {
  const service = useService(engine);
  const CHECKS = {
    database: {
      status: 'ok',
      engine,
      pool: expect.objectContaining({ max: engine === 'sqlite' ? 1 : 10 }),
      latencyMs: expect.any(Number),
    },
    schema: { status: 'ok', pending: [], unknown: [] },
  };
  const RUNTIME = {
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    nodeVersion: process.version,
    pid: process.pid,
    uptimeSeconds: expect.any(Number),
  };

  it('contain all checks, without a key', async () => {
    expect(await health(service())).toEqual({
      httpStatus: 200,
      status: 'ok',
      lifecycle: 'serving',
      checks: CHECKS,
      ...RUNTIME,
    });
  });

  it('say at /health/ready whether the process can serve', async () => {
    const expected = { httpStatus: 200, status: 'ok', lifecycle: 'serving', checks: CHECKS };
    expect(await health(service(), '/health/ready')).toEqual(expected);
  });

  it('say at /health/live that the process lives, without running a check', async () => {
    const live = () => health(service(), '/health/live');
    expect(await live()).toEqual({ httpStatus: 200, status: 'ok', lifecycle: 'serving', ...RUNTIME });
    const database = service().app.get(Database);
    await database.transaction(async () => {
      await database.dataSource.query('SELECT 1');
      expect(await live()).toMatchObject({ httpStatus: 200 });
    });
  });

  it('do not change the responses of the public port', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const response = await service().fetch(path);
      expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
    }
    expect((await service().fetch('/health')).status).toBe(404);
  });
});

describeOneEngine('The health details with pending or unknown migrations', (engine) => {
  let database: TestDatabase;
  let running: StartedService;
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    running = await startOn(database.url, { MIGRATE_ON_START: 'false' });
  });
  afterAll(async () => {
    await running.stop();
    await database.drop();
  });

  it('name pending migrations until they have run', async () => {
    const behind = await health(running);
    expect(behind).toMatchObject({
      httpStatus: 503,
      status: 'unavailable',
      checks: {
        database: { status: 'ok' },
        schema: {
          status: 'failed',
          reason: expect.stringMatching(/^\d+ of \d+ migrations are pending: .*Create\w+\d+/),
          pending: expect.arrayContaining([expect.stringMatching(/^Create\w+\d+$/)]),
          unknown: [],
        },
      },
    });
    expect(await health(running, '/health/ready')).toMatchObject({ httpStatus: 503, status: 'unavailable' });
    expect(await isReady(running)).toBe(0);

    await migrate(running.app.get(DataSource));
    expect(await health(running)).toMatchObject({ httpStatus: 200, checks: { schema: { pending: [] } } });
    await until(async () => (await isReady(running)) === 1);
  });

  it('name the migrations of a newer version, and are ok', async () => {
    const name = 'FromTheFuture9999999999999';
    const newer = await startOn(database.url, {});
    expect(await health(newer)).toMatchObject({ checks: { schema: { unknown: [] } } });
    await runSql(database, `INSERT INTO migrations ("timestamp", "name") VALUES (9999999999999, '${name}')`);
    // What is known of a schema that fits may be five seconds old.
    await until(async () => (await health(newer)).checks.schema?.unknown?.[0] === name);
    expect(await health(newer)).toMatchObject({ httpStatus: 200, status: 'ok' });
    await newer.stop();
  });
});

describeOneEngine('The health details with a changed schema', (engine) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService(engine);
  });
  afterEach(() => service.stop());

  it.each([
    ['a table that was dropped', `DROP TABLE pets${engine === 'postgres' ? ' CASCADE' : ''}`, 'pets'],
    ['a table that was renamed', 'ALTER TABLE pets RENAME TO animals', 'pets'],
    ['a column that was renamed', 'ALTER TABLE pets RENAME COLUMN name TO title', 'pets.name'],
    [
      'a column that no read shows',
      'ALTER TABLE pets RENAME COLUMN removed_at TO gone_at',
      'pets.removed_at',
    ],
  ])('name %s, and say that the service is not ready', async (_what, sql, missing) => {
    expect(await health(service)).toMatchObject({ httpStatus: 200 });
    await runSql(service.database, sql);
    // What is known of a schema that fits may be five seconds old.
    await until(async () => (await health(service)).checks.schema?.status === 'failed');
    expect(await health(service, '/health/ready')).toMatchObject({
      httpStatus: 503,
      checks: {
        database: { status: 'ok' },
        schema: {
          status: 'failed',
          reason:
            'Tables or columns are gone, though every migration is applied: run "npm run -s petstore -- doctor".',
          pending: [],
          unknown: [],
          missing: [missing],
        },
      },
    });
    const ready = await service.fetch('/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { message: 'The service is not ready: its database does not answer, or lacks tables or columns.' },
    ]);
    expect(await isReady(service)).toBe(0);
  });

  it('are ok again as soon as the column has its name back', async () => {
    await runSql(service.database, 'ALTER TABLE pets RENAME COLUMN name TO title');
    await until(async () => (await health(service)).checks.schema?.status === 'failed');
    await runSql(service.database, 'ALTER TABLE pets RENAME COLUMN title TO name');
    expect(await health(service)).toMatchObject({ httpStatus: 200, checks: { schema: { status: 'ok' } } });
  });
});

describe('The health details while PostgreSQL is gone', () => {
  let server: PostgresServer;
  let running: StartedService;
  let password = '';
  beforeAll(async () => {
    server = await startPostgresServer();
    ({ password } = new URL(server.url));
    running = await startOn(server.url, { MIGRATE_ON_START: 'true' });
    await server.kill('SIGKILL');
  });
  afterAll(async () => {
    await running.stop();
    await server.stop();
  });

  it('say so in one sentence without secrets', async () => {
    const gone = await health(running);
    expect(gone).toMatchObject({
      httpStatus: 503,
      status: 'unavailable',
      checks: {
        database: {
          status: 'failed',
          engine: 'postgres',
          pool: { used: expect.any(Number), max: 10 },
          reason: expect.stringMatching(/^[A-Z][^.]*database[^.]*\.$/),
        },
        schema: { status: expect.stringMatching(/ok|failed/) },
      },
    });
    expect(await health(running, '/health/ready')).toMatchObject({ httpStatus: 503 });
    expect(await health(running, '/health/live')).toMatchObject({ httpStatus: 200, status: 'ok' });
    expect(await isReady(running)).toBe(0);
    expect(password.length).toBeGreaterThan(8);
    const told = JSON.stringify(gone);
    for (const secret of [password, server.url, 'postgres://', 'ECONN', 'stack']) {
      expect(told).not.toContain(secret);
    }
  });

  it('are ok again by themselves when it is back', async () => {
    await server.start();
    await until(async () => (await isReady(running)) === 1);
    expect(await health(running)).toMatchObject({ httpStatus: 200 });
  });
});

describe('The health details of a service that is stopping', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
    service.app.get(ServiceState).leave();
  });
  afterAll(() => service.stop());

  it('say so while it still serves', async () => {
    const expected = { httpStatus: 503, status: 'unavailable', lifecycle: 'leaving' };
    expect(await health(service)).toMatchObject(expected);
    expect(await health(service, '/health/ready')).toMatchObject(expected);
    expect(await health(service, '/health/live')).toMatchObject({ httpStatus: 200, lifecycle: 'leaving' });
    expect(await isReady(service)).toBe(0);
  });
});

describe('The health details without the configured Redis', () => {
  let service: TestService;
  beforeAll(async () => {
    const port = await freePort('127.0.0.1');
    service = await startTestService('sqlite', {
      RATE_LIMIT_PER_MINUTE: '600',
      REDIS_URL: `redis://:open-sesame@127.0.0.1:${port}/0`,
    });
  });
  afterAll(() => service.stop());

  it('are degraded, and say that the service is ready', async () => {
    const degraded = await health(service);
    expect(degraded).toMatchObject({
      httpStatus: 200,
      status: 'degraded',
      checks: {
        database: { status: 'ok' },
        rateLimitStore: {
          status: 'failed',
          reason: 'Redis cannot be reached: rate limits hold for each node by itself.',
        },
      },
    });
    expect(JSON.stringify(degraded)).not.toContain('open-sesame');
    const ready = await health(service, '/health/ready');
    expect(ready).toMatchObject({ httpStatus: 200, status: 'ok' });
    expect(ready.checks).not.toHaveProperty('rateLimitStore');
    await until(async () => (await isReady(service)) === 1);
  });
});
