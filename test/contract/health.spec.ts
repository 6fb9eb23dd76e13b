import { DataSource } from 'typeorm';
import { createToken } from '../../src/platform/security/api-key-token';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import { migrate } from '../../src/platform/database/schema/migrate';
import { createTestDatabase, describeOneEngine, type TestDatabase } from '../support/databases/databases';
import { ask, creation, field, type WireRequest } from './support/request';
import { expectRefused } from './support/rows';
import { useService } from './support/service';
import { type StartedService, startOn } from './support/start';

const UNAVAILABLE = { status: 503, code: 'service_unavailable', fields: { 'Retry-After': /^[1-9]\d*$/ } };

describeOneEngine('The health of the public port', (engine) => {
  const service = useService(engine);

  it.each<[string, WireRequest]>([
    ['without a key', { key: null }],
    ['with a faulty key', { key: 'x' }],
    ['with any Accept', { headers: { Accept: 'text/plain' } }],
    ['with any query', { target: '?verbose=1&verbose=2' }],
  ])('is 200 for a request %s', async (_case, request) => {
    for (const path of ['/health/live', '/health/ready']) {
      const response = await ask(service(), { ...request, target: `${path}${request.target ?? ''}` });
      expect([response.status, JSON.parse(response.body)]).toEqual([200, { status: 'ok' }]);
      expect(field(response, 'content-type')).toBe('application/json; charset=utf-8');
      expect(field(response, 'cache-control')).toBe('no-store');
      expect(field(response, 'x-request-id')).toMatch(/^[\da-f-]{36}$/);
    }
  });

  it('is not served under /v1', async () => {
    expect(await ask(service(), { target: '/v1/health/live' })).toMatchObject({ status: 404 });
  });
});

describeOneEngine('A service on a database that was not migrated', (engine) => {
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

  const target = () => ({ port: running.port, key: createToken() });

  it('is alive and not ready', async () => {
    expect(await ask(target(), { target: '/health/live' })).toMatchObject({ status: 200 });
    await expectRefused(target(), { ...UNAVAILABLE, request: { target: '/health/ready', key: null } });
  });

  it.each<[string, WireRequest]>([
    ['listPets', {}],
    ['createPet', creation('{"name":"Rex","categoryId":1}')],
    ['getPet', { target: '/v1/pets/1' }],
  ])(
    'responds to %s with 503, never 401 for a key that could not be looked up',
    async (_operation, request) => {
      await expectRefused(target(), { ...UNAVAILABLE, request });
      await expectRefused(target(), {
        request: { ...request, key: 'x' },
        status: 401,
        code: 'invalid_api_key',
      });
      await expectRefused(target(), {
        request: { ...request, key: null },
        status: 401,
        code: 'unauthorized',
      });
    },
  );

  it('serves once it has been migrated, without a restart', async () => {
    await migrate(running.app.get(DataSource));
    expect(await ask(target(), { target: '/health/ready' })).toMatchObject({ status: 200 });
    const { token } = await running.app.get(ApiKeysService).create({ name: 'late', scopes: ['pets:read'] });
    expect(await ask(target(), { key: token })).toMatchObject({ status: 200, body: '[]' });
    await expectRefused(target(), { request: {}, status: 401, code: 'invalid_api_key' });
  });
});
