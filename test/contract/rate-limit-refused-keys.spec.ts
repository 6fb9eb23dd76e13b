import { DataSource } from 'typeorm';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiKeysRepository } from '../../src/auth/api-keys.repository';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import { Database } from '../../src/platform/database/database';
import { RateLimitStore } from '../../src/platform/rate-limit/rate-limit-store';
import { RefusedKeys } from '../../src/platform/rate-limit/refused-keys';
import { createToken } from '../../src/platform/security/api-key-token';
import { currentContext } from '../../src/platform/tracing/request-context';
import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { addressesLike } from '../support/http/addresses';
import { until } from '../support/until';
import { toldLimit } from './support/rate-limit';
import { ask, field, type WireRequest } from './support/request';
import { expectRefused } from './support/rows';
import { useService } from './support/service';

const LIMITED = { status: 429, code: 'rate_limited', fields: { 'Retry-After': /^[1-9]\d?$/ } };
const REFUSED = { status: 401, code: 'invalid_api_key' };
const QUOTA = 5;
const LIMITS = {
  RATE_LIMIT_PER_MINUTE: String(QUOTA),
  TRUST_PROXY: 'loopback',
};

/** Gives a service the same secret in each run: with a random one, two addresses would share a bucket now and then, and so a budget. */
function fixBuckets({ app }: TestService): void {
  Object.assign(app.get(RateLimitStore), { bucketSecret: 'no two of these addresses share a bucket' });
}

/** As it comes from a client through the proxy. */
function from(address: string, request: WireRequest = {}): WireRequest {
  return { ...request, headers: { ...request.headers, 'X-Forwarded-For': address } };
}

/** Sends unknown keys until no more are taken from the address. */
async function exhaust(service: TestService, address: string): Promise<void> {
  for (let count = 0; count < QUOTA; count++)
    await expectRefused(service, { ...REFUSED, request: from(address, { key: createToken() }) });
}

/** Counts what requests ask the database from now on, but not what the service asks by itself each second. */
function countStatements(service: TestService): () => number {
  const database = service.app.get(Database);
  const dataSource = service.app.get(DataSource);
  const query = database.query.bind(database);
  const createQueryRunner = dataSource.createQueryRunner.bind(dataSource);
  let count = 0;
  const note = () => {
    if (currentContext()?.request) count++;
  };
  jest.spyOn(database, 'query').mockImplementation((...given) => {
    note();
    return query(...given);
  });
  jest.spyOn(dataSource, 'createQueryRunner').mockImplementation((...given) => {
    note();
    return createQueryRunner(...given);
  });
  return () => count;
}

describeOneEngine('Invalid API keys', (engine) => {
  const service = useService(engine, LIMITS);
  beforeAll(() => fixBuckets(service()));
  afterEach(() => jest.restoreAllMocks());

  it('get 429 after too many from an address, whatever is wrong with them', async () => {
    await exhaust(service(), '192.0.2.1');
    for (const key of [createToken(), 'x', 'petk_', createToken()]) {
      const refused = await expectRefused(service(), { ...LIMITED, request: from('192.0.2.1', { key }) });
      expect(toldLimit(refused)).toMatchObject({ policy: 'refused-keys', quota: QUOTA, remaining: 0 });
      expect(field(refused, 'www-authenticate')).toBeUndefined();
    }
  });

  it('count when they are malformed, cached as refused, revoked or expired', async () => {
    const keys = service().app.get(ApiKeysService);
    const revoked = await keys.create({ name: 'revoked', scopes: ['pets:read'] });
    const unknown = createToken();
    await ask(service(), from('192.0.2.2', { key: revoked.token }));
    await keys.revoke(revoked.key.id);
    for (const key of ['x', unknown, unknown, revoked.token, revoked.token])
      await expectRefused(service(), { ...REFUSED, request: from('192.0.2.2', { key }) });
    await expectRefused(service(), { ...LIMITED, request: from('192.0.2.2', { key: 'x' }) });
  });

  it('do not count against another address', async () => {
    await exhaust(service(), '192.0.2.3');
    await expectRefused(service(), { ...REFUSED, request: from('192.0.2.4', { key: createToken() }) });
  });

  it('do not count against addresses with a colliding hash', async () => {
    const [guesser = '', ...victims] = addressesLike('192.0.2.11', 4);
    await exhaust(service(), guesser);
    const responses = [];
    for (const victim of victims) responses.push(await ask(service(), from(victim, { key: createToken() })));
    expect(responses.map(({ status }) => status)).toEqual(victims.map(() => 401));
  });

  it('count for the whole /64 of an IPv6 address, and not for the next', async () => {
    for (let host = 1; host <= QUOTA; host++) {
      const request = from(`2001:db8:0:1:${host}::${host}`, { key: createToken() });
      await expectRefused(service(), { ...REFUSED, request });
    }
    const request = from('2001:db8:0:1:ffff::1', { key: createToken() });
    await expectRefused(service(), { ...LIMITED, request });
    await expectRefused(service(), { ...REFUSED, request: from('2001:db8:0:2::1', { key: createToken() }) });
  });

  it('cost no query beyond the limit, even when all come at once', async () => {
    const statements = countStatements(service());
    const flood = Array.from({ length: 60 }, () => ask(service(), from('192.0.2.5', { key: createToken() })));
    const responses = (await Promise.all(flood)).map(({ status }) => status);
    expect(responses.sort()).toEqual([...Array(QUOTA).fill(401), ...Array(60 - QUOTA).fill(429)]);
    expect(statements()).toBe(QUOTA);
    for (let count = 0; count < 20; count++) await ask(service(), from('192.0.2.5', { key: createToken() }));
    expect(statements()).toBe(QUOTA);
  });

  it('do not affect the keys in use at that address', async () => {
    const key = await service().keyWith('pets:read');
    expect(await ask(service(), from('192.0.2.6', { key }))).toMatchObject({ status: 200 });
    await exhaust(service(), '192.0.2.6');
    expect(await ask(service(), from('192.0.2.6', { key }))).toMatchObject({ status: 200 });
    const now = performance.now.bind(performance);
    // The cache believes what it knows for five seconds, and keeps the time it has read for a millisecond.
    await pause(2);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 6_000);
    const statements = countStatements(service());
    expect(await ask(service(), from('192.0.2.6', { key }))).toMatchObject({ status: 200 });
    expect(statements()).toBeGreaterThan(0);
  });

  it('delay a valid key that was not used before, at that address only', async () => {
    const key = await service().keyWith('pets:read');
    await exhaust(service(), '192.0.2.7');
    await expectRefused(service(), { ...LIMITED, request: from('192.0.2.7', { key }) });
    expect(await ask(service(), from('192.0.2.8', { key }))).toMatchObject({ status: 200 });
    expect(await ask(service(), from('192.0.2.7', { key }))).toMatchObject({ status: 200 });
  });

  it('delay such a key at that address only, even if it waits for the look-up that the other began', async () => {
    const key = await service().keyWith('pets:read');
    await exhaust(service(), '192.0.2.13');
    const refusedKeys = service().app.get(RefusedKeys);
    const count = refusedKeys.count.bind(refusedKeys);
    const { promise: bothArrived, resolve: arrive } = Promise.withResolvers<void>();
    const counting = jest.spyOn(refusedKeys, 'count').mockImplementation(async (request) => {
      await bothArrived;
      return count(request);
    });
    const limited = ask(service(), from('192.0.2.13', { key }));
    await until(() => counting.mock.calls.length === 1);
    service()
      .app.getHttpServer()
      .once('request', () => setImmediate(arrive));
    const other = ask(service(), from('192.0.2.14', { key }));
    expect([(await limited).status, (await other).status]).toEqual([429, 200]);
    counting.mockRestore();
  });

  it('are the only ones that count, unlike valid keys and requests without a key', async () => {
    for (let count = 0; count < 2 * QUOTA; count++) {
      const key = await service().keyWith('pets:read');
      expect(await ask(service(), from('192.0.2.9', { key }))).toMatchObject({ status: 200 });
      await ask(service(), from('192.0.2.9', { key: null }));
    }
    await exhaust(service(), '192.0.2.9');
    const request = from('192.0.2.9', { key: null });
    await expectRefused(service(), { request, status: 401, code: 'unauthorized' });
  });

  it('do not include a valid key that many requests bring at once', async () => {
    const key = await service().keyWith('pets:read', 'pets:write');
    const repository = service().app.get(ApiKeysRepository);
    const look = repository.findByHash.bind(repository);
    let arrived = 0;
    const note = () => void arrived++;
    service().app.getHttpServer().on('request', note);
    // So slow that all have arrived before the first is known.
    const find = jest.spyOn(repository, 'findByHash').mockImplementation(async (tokenHash) => {
      await until(() => arrived === 2 * QUOTA);
      return look(tokenHash);
    });
    const responses = await Promise.all(
      Array.from({ length: 2 * QUOTA }, () => ask(service(), from('192.0.2.10', { key }))),
    );
    service().app.getHttpServer().off('request', note);
    // Half of them are too many for the key, none for the address.
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(QUOTA);
    expect(responses.map((response) => toldLimit(response)?.policy)).toEqual(responses.map(() => 'default'));
    expect(find.mock.calls).toHaveLength(1);
  });
});

/** How many addresses the service sees when each of these `X-Forwarded-For` comes with a key that is not valid. */
async function seenAs(trustProxy: string, forwarded: readonly string[]): Promise<number[]> {
  const limits = { RATE_LIMIT_PER_MINUTE: '1', TRUST_PROXY: trustProxy };
  const service = await startTestService('sqlite', limits);
  fixBuckets(service);
  try {
    const statuses = [];
    for (const address of forwarded) statuses.push((await ask(service, from(address, { key: 'x' }))).status);
    return statuses;
  } finally {
    await service.stop();
  }
}

describe('TRUST_PROXY', () => {
  it('trusts no proxy by default, so a request has the address of its connection', async () => {
    expect(await seenAs('', ['192.0.2.1', '192.0.2.2', '::1', 'x'])).toEqual([401, 429, 429, 429]);
  });

  it('has no effect when it names other proxies than the one that connects', async () => {
    expect(await seenAs('10.0.0.0/8', ['192.0.2.1', '192.0.2.2'])).toEqual([401, 429]);
  });

  it('takes the last address before a trusted proxy as the client', async () => {
    const spoofed = ['192.0.2.1', '198.51.100.7, 192.0.2.1', '203.0.113.5, 198.51.100.8,192.0.2.1'];
    expect(await seenAs('loopback', [...spoofed, '192.0.2.2'])).toEqual([401, 429, 429, 401]);
  });

  it('looks through a chain of trusted proxies', async () => {
    const through = ['192.0.2.1, 10.0.0.5', '192.0.2.1, 10.9.9.9, 10.0.0.5', '192.0.2.2, 10.0.0.5'];
    expect(await seenAs('loopback, 10.0.0.0/8', through)).toEqual([401, 429, 401]);
  });

  it('takes a number as that of the last addresses that are proxies', async () => {
    const through = ['192.0.2.1, 10.0.0.5', '198.51.100.1, 192.0.2.1, 10.0.0.5', '192.0.2.2, 10.0.0.5'];
    expect(await seenAs('2', through)).toEqual([401, 429, 401]);
    expect(await seenAs('1', ['192.0.2.1, 10.0.0.5', '192.0.2.2, 10.0.0.5'])).toEqual([401, 429]);
  });

  it('ignores text that is not an address, and reads an address with a port', async () => {
    const odd = ['unknown', '_hidden', '999.1.1.1', '" OR 1=1', 'a'.repeat(5_000)];
    expect(await seenAs('loopback', odd)).toEqual([401, 429, 429, 429, 429]);
    const proxiesWithPort = [
      '192.0.2.1, 127.0.0.5:4711',
      '192.0.2.2, 127.0.0.5:4711',
      '192.0.2.3, [::1]:4711',
    ];
    expect(await seenAs('loopback', proxiesWithPort)).toEqual([401, 401, 401]);
    const withPort = ['192.0.2.1:4711', '192.0.2.1:4712', '[2001:db8::1]:4711', '2001:db8::2'];
    expect(await seenAs('loopback', withPort)).toEqual([401, 429, 401, 429]);
  });
});
