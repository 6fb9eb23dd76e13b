import type { PoolClient } from 'pg';
import { Database } from '../../src/platform/database/database';
import { poolOf } from '../../src/platform/database/driver/data-source';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { type ExpectedError, expectContractError } from './support/expect-error';
import { ask, creation, field, type WireRequest } from './support/request';
import { expectRefused } from './support/rows';
import { Scrape } from './support/scrape';

const OVERLOADED: ExpectedError = { status: 503, code: 'overloaded' };

/** What is judged later than the load, in the order of judgement. */
const LATER: [of: string, request: WireRequest][] = [
  ['a target of 8,001 bytes', { target: `/${'a'.repeat(8_000)}` }],
  ['a path that is no UTF-8', { target: '/%ff' }],
  ['an unknown path', { target: '/v1/none' }],
  ['a path that only begins like one of health', { target: '/healthy/live' }],
  ['a method that the path does not support', { method: 'DELETE' }],
  ['OPTIONS', { method: 'OPTIONS' }],
  ['a request without a key', { key: null }],
  ['a body that is not JSON', creation('{')],
  ['a list', {}],
  ['a creation', creation('{"name":"Rex","categoryId":1}')],
];

/** What is judged earlier. */
const EARLIER: [of: string, request: WireRequest, expected: ExpectedError][] = [
  ['two Hosts', { headers: { Host: ['a.test', 'b.test'] } }, { status: 400, code: 'bad_request' }],
  ['an unmet expectation', { headers: { Expect: 'tea' } }, { status: 417, code: 'expectation_failed' }],
];

const HEALTH = ['/health/live', '/health/live?a=1', 'http://petstore.test/health/live'];

async function shedBy(service: TestService): Promise<number> {
  return (await Scrape.of(service)).values('petstore_requests_shed_total', 'reason')['database'] ?? 0;
}

describe('A service with more requests than its database can serve in time', () => {
  let service: TestService;
  let held: PoolClient;
  const end = new AbortController();
  const waiting: Promise<unknown>[] = [];

  beforeAll(async () => {
    service = await startTestService('postgres', {
      DATABASE_POOL_SIZE: '1',
      DATABASE_STATEMENT_TIMEOUT_MS: '25000',
    });
    // The key is known then, and judging it takes no connection.
    await service.fetch('/v1/pets');
    const pool = poolOf(service.app.get(Database).dataSource);
    held = await pool.connect();
    const wait = async () => {
      while (!end.signal.aborted) await pool.query('SELECT 1').catch(() => undefined);
    };
    waiting.push(...Array.from({ length: 8 }, wait));
    await until(async () => {
      waiting.push(service.fetch('/v1/pets/1').then((response) => response.arrayBuffer()));
      return (await shedBy(service)) > 0;
    });
  });
  afterAll(async () => {
    end.abort();
    held.release();
    await Promise.all(waiting);
    await service.stop();
  });

  it.each(LATER)('refuses %s with 503, and says when to try again', async (_of, request) => {
    const before = await shedBy(service);
    const response = await ask(service, request);
    expectContractError(response, OVERLOADED);
    expect(field(response, 'retry-after')).toBe('1');
    expect(field(response, 'connection')).not.toBe('close');
    expect(await shedBy(service)).toBeGreaterThan(before);
  });

  it('refuses HEAD without a body', async () => {
    expectContractError(await ask(service, { method: 'HEAD' }), { ...OVERLOADED, head: true });
  });

  it.each(EARLIER)('refuses %s for its own reason', async (_of, request, expected) => {
    await expectRefused(service, { request, ...expected });
  });

  it.each(HEALTH)('still responds to %s', async (target) => {
    expect(await ask(service, { target, key: null })).toMatchObject({ status: 200 });
  });

  it('stays ready', async () => {
    const { status, body } = await ask(service, { target: '/health/ready', key: null });
    expect([status, body]).not.toEqual([503, expect.stringContaining('overloaded')]);
  });

  it('serves the management port', async () => {
    expect((await fetch(`${service.managementUrl}/health/live`)).status).toBe(200);
    expect((await fetch(`${service.managementUrl}/v1/none`)).status).toBe(404);
  });

  it('logs no line for each refusal', async () => {
    const refused = await ask(service, { headers: { 'X-Request-Id': 'shed-1' } });
    expectContractError(refused, { ...OVERLOADED, requestId: 'shed-1' });
    expect(service.log()).not.toMatch(/shed-1|"code":"overloaded"/);
  });
});

describe('A service after an overload', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('postgres', {
      DATABASE_POOL_SIZE: '1',
      DATABASE_STATEMENT_TIMEOUT_MS: '3600000',
    });
  });
  afterAll(() => service.stop());

  it('serves a burst of requests as soon as possible', async () => {
    await service.fetch('/v1/pets');
    const burst = Array.from({ length: 200 }, (_, i) => service.fetch(`/v1/pets?limit=${1 + (i % 100)}`));
    const statuses = (await Promise.all(burst)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await shedBy(service)).toBe(0);
  });
});
