import { ApiKeysService } from '../../src/auth/api-keys.service';
import { createToken } from '../../src/platform/security/api-key-token';
import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { toldLimit } from './support/rate-limit';
import { ask, creation, field, type WireRequest } from './support/request';
import { expectRefused } from './support/rows';
import { useService } from './support/service';
import { runSql } from './support/sql';

const NEW_PET = creation('{"name":"Rex","categoryId":1}');
const LIMITED = { status: 429, code: 'rate_limited', fields: { 'Retry-After': /^[1-9]\d?$/ } };

/** A key that was not used yet. */
async function freshKey(service: TestService, ...scopes: string[]): Promise<string> {
  return service.keyWith(...(scopes.length > 0 ? scopes : ['pets:read', 'pets:write']));
}

/** Uses a key up. */
async function exhaust(service: TestService, key: string, quota: number): Promise<void> {
  for (let count = 0; count < quota; count++) await ask(service, { key, target: '/v1/pets/0' });
}

describeOneEngine('The rate limit of an API key', (engine) => {
  const service = useService(engine, { RATE_LIMIT_PER_MINUTE: '4' });

  it('is sent with every response, counts down, and ends in 429 with the time to wait', async () => {
    const key = await freshKey(service());
    const left = [];
    for (let count = 0; count < 4; count++) {
      const response = await ask(service(), { key });
      expect(response.status).toBe(200);
      left.push(toldLimit(response));
    }
    expect(left).toEqual(
      [3, 2, 1, 0].map((remaining) => ({
        policy: 'default',
        quota: 4,
        remaining,
        seconds: expect.any(Number),
      })),
    );
    for (const request of [{ key }, { key, method: 'HEAD' }, { ...NEW_PET, key }]) {
      const refused = await expectRefused(service(), { ...LIMITED, request });
      const told = toldLimit(refused);
      expect(told).toMatchObject({ policy: 'default', quota: 4, remaining: 0 });
      expect(field(refused, 'retry-after')).toBe(String(told?.seconds));
    }
  });

  it('does not affect another key', async () => {
    await exhaust(service(), await freshKey(service()), 5);
    expect(toldLimit(await ask(service(), { key: await freshKey(service()) }))?.remaining).toBe(3);
  });

  it('stays with a client whose key is rotated', async () => {
    const keys = service().app.get(ApiKeysService);
    const { key, token } = await keys.create({ name: 'rotated', scopes: ['pets:read'] });
    await ask(service(), { key: token });
    const successor = await keys.rotate(key.id, 60_000);
    expect(toldLimit(await ask(service(), { key: successor.token }))?.remaining).toBe(2);
    expect(toldLimit(await ask(service(), { key: token }))?.remaining).toBe(1);
    await ask(service(), { key: token });
    await expectRefused(service(), { ...LIMITED, request: { key: successor.token } });
  });

  it('counts requests that come together one by one', async () => {
    const key = await freshKey(service());
    const responses = await Promise.all(Array.from({ length: 12 }, () => ask(service(), { key })));
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 4 }, () => 200),
      ...Array.from({ length: 8 }, () => 429),
    ]);
    expect(
      responses
        .map((response) => toldLimit(response)?.remaining)
        .sort()
        .slice(-4),
    ).toEqual([0, 1, 2, 3]);
  });

  it('counts its refusals in petstore_rate_limited_total', async () => {
    const { app, managementUrl } = service();
    expect(app).toBeDefined();
    const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
    expect(metrics).toMatch(/^petstore_rate_limited_total\{policy="default"\} [1-9]/m);
    expect(metrics).toContain('petstore_rate_limited_total{policy="refused-keys"} 0');
    expect(metrics).not.toContain('petstore_rate_limit_store_up');
  });
});

describe('A response to a counted API key', () => {
  const service = useService('sqlite', { RATE_LIMIT_PER_MINUTE: '1000' });
  beforeAll(async () => void (await ask(service(), NEW_PET)));

  const counted: [number, WireRequest][] = [
    [200, {}],
    [200, {}],
    [200, { method: 'HEAD' }],
    [200, { target: '/v1/pets/1' }],
    [201, NEW_PET],
    [304, { headers: { 'If-None-Match': '*' } }],
    [400, { target: '/v1/pets?limit=0' }],
    [400, creation('{')],
    [404, { target: '/v1/pets/99' }],
    [406, { headers: { Accept: 'text/html' } }],
    [413, creation('', { headers: { 'Content-Length': '999999' } })],
    [415, { method: 'POST', body: 'x' }],
  ];
  it.each(counted)('has the limit with %i: %j', async (status, request) => {
    const response = await ask(service(), request);
    expect(response.status).toBe(status);
    expect(toldLimit(response)).toMatchObject({ policy: 'default', quota: 1_000 });
  });

  it('has the limit with 403', async () => {
    const key = await freshKey(service(), 'pets:read');
    const response = await ask(service(), { ...NEW_PET, key });
    expect(response.status).toBe(403);
    expect(toldLimit(response)?.remaining).toBe(999);
  });

  const uncounted: [number, WireRequest][] = [
    [204, { method: 'OPTIONS' }],
    [400, { target: '/v1/pets/%ff' }],
    [401, { key: null }],
    [401, { key: createToken() }],
    [404, { target: '/none' }],
    [405, { method: 'DELETE' }],
    [200, { target: '/health/live' }],
    [200, { target: '/docs' }],
  ];
  it.each(uncounted)('has no limit before a key is counted, with %i: %j', async (status, request) => {
    const response = await ask(service(), request);
    expect(response.status).toBe(status);
    expect(toldLimit(response)).toBeUndefined();
  });
});

describeOneEngine('An unexpected error after the rate limit', (engine) => {
  it('is sent with the limit too', async () => {
    const service = await startTestService(engine, { RATE_LIMIT_PER_MINUTE: '10' });
    try {
      await ask(service, {});
      await runSql(service.database, 'ALTER TABLE pets RENAME TO gone');
      const response = await ask(service, {});
      expect(response.status).toBe(503);
      expect(toldLimit(response)?.remaining).toBe(8);
    } finally {
      await service.stop();
    }
  });
});

describe('The rate limit among other refusals', () => {
  const service = useService('sqlite', { RATE_LIMIT_PER_MINUTE: '4' });

  it('comes after 401 and 400 for the key, after 404 and 405 for the path', async () => {
    const key = await freshKey(service());
    await exhaust(service(), key, 4);
    await expectRefused(service(), { request: { key: null }, status: 401, code: 'unauthorized' });
    await expectRefused(service(), { request: { key: 'x' }, status: 401, code: 'invalid_api_key' });
    const Authorization = [`Bearer ${key}`, `Bearer ${key}`];
    const twice = { headers: { Authorization } };
    await expectRefused(service(), { request: twice, status: 400, code: 'invalid_request' });
    await expectRefused(service(), { request: { key, target: '/x' }, status: 404, code: 'not_found' });
    const wrong = { key, method: 'PUT' };
    await expectRefused(service(), { request: wrong, status: 405, code: 'method_not_allowed' });
  });

  it('comes before 403, 406, 415, 413 and faults of the content, and before the body is read', async () => {
    const key = await freshKey(service(), 'pets:read');
    await exhaust(service(), key, 4);
    const headers = { Accept: 'text/html', 'Content-Length': '50', Expect: '100-continue' };
    const requests: WireRequest[] = [
      NEW_PET,
      { headers: { Accept: 'text/html' } },
      { method: 'POST', body: 'x' },
      creation('', { headers: { 'Content-Length': '999999' } }),
      creation('{'),
      { target: '/v1/pets?page=1' },
      creation('', { headers }),
    ];
    for (const request of requests)
      await expectRefused(service(), { ...LIMITED, request: { ...request, key } });
  });

  it('does not limit an operation that needs no key', async () => {
    const key = await freshKey(service());
    await exhaust(service(), key, 5);
    for (const target of ['/health/live', '/health/ready', '/docs', '/docs/openapi.json'])
      expect(await ask(service(), { key, target })).toMatchObject({ status: 200 });
  });
});

describe('A service with RATE_LIMIT_PER_MINUTE=0', () => {
  const service = useService('sqlite', { RATE_LIMIT_PER_MINUTE: '0' });

  it('sends no limit and refuses nothing', async () => {
    for (let count = 0; count < 50; count++) {
      const responses = [await ask(service(), {}), await ask(service(), { key: 'x' })];
      expect(responses.map(({ status }) => status)).toEqual([200, 401]);
      expect(responses.map(toldLimit)).toEqual([undefined, undefined]);
    }
  });

  it('says so in its guide', async () => {
    const guide = await (await fetch(`${service().url}/docs/guide`)).text();
    expect(guide).toContain('This service has its rate limits switched off');
  });
});
