import { setTimeout as pause } from 'node:timers/promises';
import { growthBy } from '../../test/contract/support/scrape';
import { describeOneEngine } from '../../test/support/databases/databases';
import { startAnotherNode, startTestService, type TestService } from '../../test/support/service/service';
import type { RunningService } from '../process/start-service';
import { ApiKeysService } from './api-keys.service';
import type { KeyRules } from './dto/key-rules';
import { KeyUpdates } from './key-updates.service';

/** Longest time for which a node may use a key as it was before a change elsewhere, in milliseconds. */
const CHANGED_WITHIN_MS = 5_000;

async function ask({ url }: RunningService, token: string, from?: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...(from && { 'x-forwarded-for': from }) };
  const response = await fetch(`${url}/v1/pets?limit=1`, { headers });
  await response.clone().arrayBuffer();
  return response;
}

async function statuses(node: RunningService, token: string, count: number): Promise<number[]> {
  const found: number[] = [];
  for (let request = 0; request < count; request++) found.push((await ask(node, token)).status);
  return found;
}

describeOneEngine('An API key with rules of its own', (engine) => {
  let service: TestService;
  let other: RunningService;
  let keys: ApiKeysService;
  let rules: KeyUpdates;
  beforeAll(async () => {
    service = await startTestService(engine, { TRUST_PROXY: 'loopback', RATE_LIMIT_PER_MINUTE: '5' });
    other = await startAnotherNode(service);
    keys = service.app.get(ApiKeysService);
    rules = service.app.get(KeyUpdates);
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });
  afterEach(() => jest.restoreAllMocks());

  const make = (wanted: Partial<KeyRules>) => keys.create({ name: 'till', scopes: ['pets:read'], ...wanted });
  it.each<[string, string[], string, number]>([
    ['from inside of its network', ['192.0.2.0/24'], '192.0.2.7', 200],
    ['from outside of its networks', ['10.0.0.0/8', '2001:db8::/32'], '192.0.2.7', 403],
  ])('is served or refused by the address of its client: %s', async (_which, networks, from, status) => {
    const { token } = await make({ networks });
    expect((await ask(service, token, from)).status).toBe(status);
  });

  it('is refused from another network with an ordinary error that does not count toward its limits, and the log and a metric say why', async () => {
    const { key, token } = await make({ networks: ['192.0.2.0/24'], quotaPerMonth: 1 });
    let response = new Response();
    const counted = await growthBy(
      service,
      async () => (response = await ask(service, token, '198.51.100.1')),
      'petstore_key_verifications_total',
      'result',
    );
    expect(counted).toEqual({ address_not_allowed: 1 });
    expect(await response.json()).toEqual({
      code: 'address_not_allowed',
      message: 'The API key may not be used from the address of this client.',
      status: 403,
    });
    expect([...response.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    const lines = service.log().split('\n');
    const line = lines.find((each) => each.includes(key.id) && each.includes('"code":"address_not_allowed"'));
    expect(line).toContain('"status":403');
    expect((await ask(service, token, '192.0.2.7')).status).toBe(200);
  });

  it('is limited like an invalid key when it is refused from another network too often', async () => {
    const { token } = await make({ networks: ['192.0.2.0/24'] });
    const found = [];
    for (let request = 0; request < 6; request++) {
      found.push((await ask(service, token, '198.51.100.77')).status);
    }
    expect(found).toEqual([403, 403, 403, 403, 403, 429]);
  });

  it.each([
    ['less than others', 2],
    ['more than others', 7],
  ])('has a limit per minute that allows %s', async (_which, limitPerMinute) => {
    const { token } = await make({ limitPerMinute });
    const first = await ask(service, token);
    expect(first.headers.get('ratelimit-policy')).toBe(`"default";q=${limitPerMinute};w=60`);
    const rest = await statuses(service, token, limitPerMinute);
    expect(rest).toEqual([...Array<number>(limitPerMinute - 1).fill(200), 429]);
  });

  it('has a quota of requests per month, and is told to wait for the next month after it', async () => {
    const { key, token } = await make({ limitPerMinute: 100, quotaPerMonth: 3 });
    const first = await ask(service, token);
    expect(first.headers.get('ratelimit-policy')).toMatch(
      /^"default";q=100;w=60, "monthly-quota";q=3;w=2\d{6}$/,
    );
    expect(first.headers.get('ratelimit')).toMatch(/^"default";r=99;t=\d+, "monthly-quota";r=2;t=\d+$/);
    expect(await statuses(service, token, 2)).toEqual([200, 200]);
    const refused = await ask(service, token);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429 });
    const now = new Date();
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
    const wait = Number(refused.headers.get('retry-after'));
    expect(Math.abs(wait - (next - now.getTime()) / 1_000)).toBeLessThan(60);
    await rules.change(key.id, { quotaPerMonth: 5 });
    expect(await statuses(service, token, 3)).toEqual([200, 200, 429]);
  });

  it('uses none of its monthly quota for a request over the limit per minute', async () => {
    const { token } = await make({ limitPerMinute: 1, quotaPerMonth: 2 });
    expect(await statuses(service, token, 3)).toEqual([200, 429, 429]);
    const left = (await ask(service, token)).headers.get('ratelimit');
    expect(left).toMatch(/^"default";r=0;t=\d+$/);
  });

  it('has its whole quota again in the first second of the next month, and not before', async () => {
    const { token } = await make({ limitPerMinute: 100, quotaPerMonth: 1 });
    const clock = jest.spyOn(Date, 'now');
    clock.mockReturnValue(Date.UTC(2090, 11, 31, 23, 59, 58, 500));
    expect(await statuses(service, token, 1)).toEqual([200]);
    const refused = await ask(service, token);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    clock.mockReturnValue(Date.UTC(2091, 0, 1));
    expect(await statuses(service, token, 2)).toEqual([200, 429]);
    // A node whose clock is behind accepts no request from a month that is over elsewhere.
    clock.mockReturnValue(Date.UTC(2090, 11, 31, 23, 59, 59));
    expect(await statuses(service, token, 1)).toEqual([429]);
  });

  it('keeps its rules and the used part of its quota when it is rotated', async () => {
    const { key, token } = await make({ networks: ['127.0.0.1/32'], limitPerMinute: 50, quotaPerMonth: 2 });
    expect(await statuses(service, token, 1)).toEqual([200]);
    const successor = await keys.rotate(key.id, 60_000);
    expect(successor.key).toMatchObject({
      networks: ['127.0.0.1/32'],
      limitPerMinute: 50,
      quotaPerMonth: 2,
    });
    expect(await statuses(service, successor.token, 2)).toEqual([200, 429]);
    expect((await ask(service, successor.token, '198.51.100.3')).status).toBe(403);
  });

  it('follows a change of its rules at once on the node that made it, and within five seconds on another', async () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const { key, token } = await make({});
    const both = async () => [(await ask(service, token)).status, (await ask(other, token)).status];
    expect(await both()).toEqual([200, 200]);
    await rules.change(key.id, { networks: ['192.0.2.0/24'] });
    expect(await both()).toEqual([403, 200]);
    now += CHANGED_WITHIN_MS + 1;
    // The cache reads the time at most once a millisecond.
    await pause(2);
    expect(await both()).toEqual([403, 403]);
  });

  it('serves exactly 1,000 of 1,500 requests that are sent to two nodes at once', async () => {
    const { token } = await make({ limitPerMinute: 10_000, quotaPerMonth: 1_000 });
    const clients = Array.from({ length: 30 }, (_, index) =>
      statuses(index % 2 === 0 ? service : other, token, 50),
    );
    const counts = { 200: 0, 429: 0 };
    for (const status of (await Promise.all(clients)).flat()) counts[status as 200 | 429] += 1;
    expect(counts).toEqual({ 200: 1_000, 429: 500 });
  });

  it.each<[string, Partial<KeyRules>, string]>([
    [
      'networks',
      { networks: ['192.0.2.0/33'] },
      'Write a network as 192.0.2.0/24 or 2001:db8::/32; "192.0.2.0/33" is not one.',
    ],
    ['networks', { networks: numbered(101) }, 'A key can have at most 100 networks.'],
    [
      'limitPerMinute',
      { limitPerMinute: 0 },
      'The limit a minute must be a whole number from 1 to 10000000.',
    ],
    [
      'quotaPerMonth',
      { quotaPerMonth: 1.5 },
      'The quota a month must be a whole number from 1 to 1000000000.',
    ],
  ])('refuses invalid rules: %s', async (field, wanted, message) => {
    await expect(make(wanted)).rejects.toMatchObject({ faults: [{ field, message }] });
    const { key } = await make({ quotaPerMonth: 7 });
    await expect(rules.change(key.id, wanted)).rejects.toMatchObject({ faults: [{ field, message }] });
    expect(await keys.show(key.id)).toMatchObject({ networks: [], limitPerMinute: null, quotaPerMonth: 7 });
  });
});

/** Networks of one address each. */
function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `10.0.${index}.1`);
}

describe('An API key with a limit of its own', () => {
  it('is limited even where there is no common limit', async () => {
    const service = await startTestService('sqlite');
    const { token } = await service.app
      .get(ApiKeysService)
      .create({ name: 'till', scopes: ['pets:read'], limitPerMinute: 2 });
    expect(await statuses(service, token, 3)).toEqual([200, 200, 429]);
    await service.stop();
  });
});
