import SqliteDatabase from 'better-sqlite3';
import { createToken } from '../../src/platform/security/api-key-token';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import { type PostgresServer, startPostgresServer } from '../support/databases/postgres-server';
import { describeEachEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { ask, creation, field, type Target, type WireRequest } from './support/request';
import { expectRefused } from './support/rows';
import { runSql, sqliteFile } from './support/sql';
import { type StartedService, startOn } from './support/start';

const UNAVAILABLE = { status: 503, code: 'service_unavailable', fields: { 'Retry-After': /^[1-9]\d*$/ } };
const NEW_PET = creation('{"name":"Rex","categoryId":1}');
const OPERATIONS: [string, WireRequest][] = [
  ['listPets', {}],
  ['createPet', NEW_PET],
  ['getPet', { target: '/v1/pets/1' }],
];

describe('A service whose PostgreSQL is gone', () => {
  let server: PostgresServer;
  let running: StartedService;
  let cached: Target;
  let uncached = '';

  beforeAll(async () => {
    server = await startPostgresServer();
    running = await startOn(server.url, { MIGRATE_ON_START: 'true' });
    const keys = running.app.get(ApiKeysService);
    const make = async () => (await keys.create({ name: 'k', scopes: ['pets:read', 'pets:write'] })).token;
    cached = { port: running.port, key: await make() };
    uncached = await make();
    await ask(cached, NEW_PET);
    await server.kill('SIGKILL');
  });
  afterAll(async () => {
    await running.stop();
    await server.stop();
  });

  it.each(OPERATIONS)('responds with 503 to a known key: %s', async (_operation, request) => {
    await expectRefused(cached, { ...UNAVAILABLE, request });
  });

  it.each(OPERATIONS)(
    'responds with 503 to a key that cannot be looked up: %s',
    async (_operation, request) => {
      for (const key of [uncached, createToken()])
        await expectRefused(cached, { ...UNAVAILABLE, request: { ...request, key } });
    },
  );

  it('judges requests that need no database as usual', async () => {
    await expectRefused(cached, { request: { key: 'x' }, status: 401, code: 'invalid_api_key' });
    await expectRefused(cached, { request: { key: null }, status: 401, code: 'unauthorized' });
    await expectRefused(cached, { request: { target: '/none' }, status: 404, code: 'not_found' });
    await expectRefused(cached, { request: { method: 'PUT' }, status: 405, code: 'method_not_allowed' });
  });

  it('is alive and not ready', async () => {
    expect(await ask(cached, { target: '/health/live' })).toMatchObject({ status: 200 });
    await expectRefused(cached, { ...UNAVAILABLE, request: { target: '/health/ready', key: null } });
  });

  it('recovers by itself with all stored rows', async () => {
    await server.start();
    await until(async () => (await ask(cached, { target: '/health/ready' })).status === 200);
    expect(await ask(cached, { target: '/v1/pets/1', key: uncached })).toMatchObject({ status: 200 });
    for (const [, request] of OPERATIONS) expect((await ask(cached, request)).status).toBeLessThan(300);
    expect(running.log()).not.toContain('"msg":"The service has an unexpected fault');
  });
});

describe('A service whose SQLite file another process writes to', () => {
  let service: TestService;
  let other: SqliteDatabase.Database;
  beforeAll(async () => {
    service = await startTestService('sqlite', { DATABASE_STATEMENT_TIMEOUT_MS: '50' });
    await ask(service, NEW_PET);
    other = new SqliteDatabase(sqliteFile(service.database));
    other.exec('BEGIN IMMEDIATE');
  });
  afterAll(async () => {
    other.close();
    await service.stop();
  });

  it('refuses createPet with 503 after the time of a statement, and stores nothing', async () => {
    await expectRefused(service, { ...UNAVAILABLE, request: NEW_PET });
    const list = await ask(service, {});
    expect([list.status, JSON.parse(list.body)]).toEqual([200, [{ id: 1, name: 'Rex', categoryId: 1 }]]);
  });

  it('recovers by itself', async () => {
    other.exec('ROLLBACK');
    expect(await ask(service, NEW_PET)).toMatchObject({ status: 201 });
  });
});

describeEachEngine('An unexpected error', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine);
    await runSql(service.database, FAULT[engine]);
  });
  afterAll(() => service.stop());

  it('is a 500 internal_error without details, and the log has its stack with the request id', async () => {
    const response = await expectRefused(service, {
      request: NEW_PET,
      status: 500,
      code: 'internal_error',
      offending: ['classified'],
    });
    const id = field(response, 'x-request-id') as string;
    const lines = service.log().split('\n').filter(Boolean);
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.filter(({ requestId }) => requestId === id)).toEqual([
      expect.objectContaining({
        level: 50,
        err: expect.objectContaining({ stack: expect.stringContaining('classified') }),
      }),
      expect.objectContaining({ msg: 'request', status: 500 }),
    ]);
    expect(service.log()).not.toContain(service.key);
    expect(await ask(service, {})).toMatchObject({ status: 200, body: '[]' });
  });
});

/** Makes the database refuse a pet for a reason the service cannot know. */
const FAULT = {
  sqlite: "CREATE TRIGGER fault BEFORE INSERT ON pets BEGIN SELECT RAISE(ABORT, 'classified'); END",
  postgres: `
    CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'classified'; END $$;
    CREATE TRIGGER fault BEFORE INSERT ON pets FOR EACH ROW EXECUTE FUNCTION fault()`,
};
