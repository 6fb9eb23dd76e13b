import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { createToken } from '../../src/platform/security/api-key-token';
import { toldLimit } from '../contract/support/rate-limit';
import { ask, type Target, type WireRequest } from '../contract/support/request';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { RedisServer } from '../support/databases/redis-server';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { Load } from './support/load';

/** What the nodes tell addresses apart with. */
const BUCKET_SECRET = 'petstore:rate-limit-secret';

const LOST = 'Redis cannot be reached: rate limits hold for each node by itself.';
const BACK = 'Redis is back: rate limits hold for all nodes again.';

/** More than ten times what a request waits for Redis, and just less than what a silent connection is given. */
const HANGING_MS = 2_900;

const key = createToken();
const cwd = makeFolder();
let database: TestDatabase;
let redis: RedisServer;

// What is counted is in Redis: one database does for all tests.
beforeAll(async () => {
  database = await createTestDatabase('postgres');
  await runCli({ DATABASE_URL: database.url }, cwd, 'db', 'migrate');
});
beforeEach(async () => {
  redis = await RedisServer.prepare();
});
afterEach(async () => {
  await endServiceProcesses();
  await redis.kill();
});
afterAll(() => database.drop());

function startNode(
  perMinute: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  return ServiceProcess.start(
    {
      REDIS_URL: redis.url,
      RATE_LIMIT_PER_MINUTE: String(perMinute),
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '5',
      BOOTSTRAP_API_KEY: key,
      TRUST_PROXY: 'loopback',
      NODE_ENV: 'production',
      ...environment,
    },
    { cwd },
  );
}

async function startNodes(perMinute: number): Promise<[ServiceProcess, ServiceProcess]> {
  return [await startNode(perMinute), await startNode(perMinute)];
}

async function makeKey(): Promise<string> {
  const words = ['keys', 'create', '--name', 'load', '--scopes', 'pets:read,pets:write', '--json'];
  const made = await runCli({ DATABASE_URL: database.url }, cwd, ...words);
  return (JSON.parse(made) as { key: string }).key;
}

function at(node: ServiceProcess, token = key): Target {
  return { port: node.port, key: token };
}

async function remainingAt(node: ServiceProcess): Promise<number> {
  const response = await ask(at(node), {});
  expect(response.status).toBe(200);
  return toldLimit(response)?.remaining as number;
}

function count(node: ServiceProcess, message: string): number {
  return node.log().filter(({ msg }) => msg === message).length;
}

/** The value of petstore_rate_limit_store_up. */
async function storeUp(node: ServiceProcess): Promise<number> {
  const metrics = await (await fetch(`${node.managementUrl}/metrics`)).text();
  return Number(/^petstore_rate_limit_store_up (\d)$/m.exec(metrics)?.[1]);
}

/** Whether all nodes see one budget: what one counts, the next has counted. */
async function isShared([one, other]: readonly [ServiceProcess, ServiceProcess]): Promise<boolean> {
  const first = await remainingAt(one);
  return (await remainingAt(other)) === first - 1 && (await remainingAt(one)) === first - 2;
}

type RedisClient = ReturnType<typeof redisClient>;

function redisClient() {
  return createClient({ url: redis.url });
}

/** Asks the Redis itself. */
async function askRedis(question: (client: RedisClient) => Promise<void>): Promise<void> {
  const client = redisClient();
  client.on('error', () => undefined);
  await client.connect();
  try {
    await question(client);
  } finally {
    client.destroy();
  }
}

/** What nodes respond to keys that are not valid, asked in turn from one address. */
async function refusalsAt(nodes: readonly ServiceProcess[], address: string): Promise<number[]> {
  const request: WireRequest = { headers: { 'X-Forwarded-For': address } };
  const statuses = [];
  for (const node of nodes) statuses.push((await ask(at(node, createToken()), request)).status);
  return statuses;
}

async function sharedSecret(): Promise<string | null> {
  let secret: string | null = null;
  await askRedis(async (client) => {
    secret = await client.get(BUCKET_SECRET);
  });
  return secret;
}

describe('Two nodes with one Redis', () => {
  it('share the budget of an API key, and that of refused keys from an address', async () => {
    await redis.start();
    const [one, other] = await startNodes(6);
    const left = [];
    for (const node of [one, other, one, other, other, one]) left.push(await remainingAt(node));
    expect(left).toEqual([5, 4, 3, 2, 1, 0]);
    for (const node of [one, other, one]) {
      const refused = await ask(at(node), {});
      expect(refused.status).toBe(429);
      expect(toldLimit(refused)).toMatchObject({ policy: 'default', quota: 6, remaining: 0 });
    }

    expect(await refusalsAt([one, other, one, other, other, one], '192.0.2.77')).toEqual(Array(6).fill(401));
    expect(await refusalsAt([one, other], '192.0.2.77')).toEqual([429, 429]);
    expect(await refusalsAt([one], '192.0.2.78')).toEqual([401]);
  });

  it('share the budget of an address even when they started before Redis, or Redis was emptied', async () => {
    const early = await startNodes(6);
    await redis.start();
    await until(async () => (await Promise.all(early.map(storeUp))).every((up) => up === 1));
    const secret = await sharedSecret();
    expect(secret).toMatch(/^[\w-]{43}$/);
    await askRedis(async (client) => void (await client.flushAll()));
    // The node that looks first puts it back.
    await until(async () => (await sharedSecret()) === secret);
    const [one, other] = early;
    const late = await startNode(6);
    expect(await refusalsAt([one, other, late, one, other, late], '192.0.2.77')).toEqual(Array(6).fill(401));
    expect(await refusalsAt([one, other, late], '192.0.2.77')).toEqual([429, 429, 429]);
    // They go on with it while Redis is gone, and so do those that find it empty.
    await redis.kill();
    await until(async () => (await Promise.all(early.map(storeUp))).every((up) => up === 0));
    await redis.start();
    await until(async () => (await sharedSecret()) === secret);
  });

  it('store neither a token nor an address in Redis, and only a secret for longer than a minute', async () => {
    await redis.start();
    const [one] = await startNodes(100);
    const refused = createToken();
    await ask(at(one), {});
    await ask(at(one, refused), { headers: { 'X-Forwarded-For': '192.0.2.77' } });
    await askRedis(async (client) => {
      const keys = await client.keys('*');
      expect(keys.length).toBeGreaterThan(2);
      for (const name of keys) {
        expect(`${name} ${await client.get(name)}`).not.toMatch(/petk_|192\.0\.2|127\.0\.0/);
        if (name === BUCKET_SECRET) continue;
        expect(name).toMatch(/^petstore:rate-limit(-probe$|:default:key_|:refused-keys:\d+$)/);
        expect(await client.ttl(name)).toBeGreaterThan(0);
        expect(await client.ttl(name)).toBeLessThanOrEqual(60);
      }
    });
  });

  it.each<[string, () => Promise<void> | void, () => Promise<void> | void]>([
    ['killed', () => redis.kill(), () => redis.start()],
    ['frozen', () => redis.signal('SIGSTOP'), () => redis.signal('SIGCONT')],
    [
      'made to refuse what is written',
      () => askRedis(async (client) => void (await client.configSet('min-replicas-to-write', '1'))),
      () => askRedis(async (client) => void (await client.configSet('min-replicas-to-write', '0'))),
    ],
  ])(
    'count alone while Redis is %s under load, and share again by themselves',
    async (what, lose, regain) => {
      await redis.start();
      const nodes = await startNodes(1_000_000);
      expect(await isShared(nodes)).toBe(true);
      expect(await Promise.all(nodes.map(storeUp))).toEqual([1, 1]);

      // Each with a key of its own: their idempotency keys are the same.
      const loads: Load[] = [];
      for (const { port } of nodes) loads.push(new Load(port, await makeKey()));
      for (const load of loads) load.start(4);
      await pause(500);
      await lose();
      await until(async () => (await Promise.all(nodes.map(storeUp))).every((up) => up === 0));
      await pause(4_000);
      for (const node of nodes) expect(await storeUp(node)).toBe(0);
      const before = loads.map(({ requests }) => requests);
      await until(() => loads.every(({ requests }, index) => requests > (before[index] as number)));
      await regain();
      await until(async () => (await Promise.all(nodes.map(storeUp))).every((up) => up === 1));
      for (const load of loads) await load.stop();

      process.stdout.write(`Redis ${what} under load: ${loads.map((load) => load.summary()).join(' / ')}.\n`);
      expect(loads.map(({ failures }) => failures)).toEqual([new Map(), new Map()]);
      for (const { slowestMs } of loads) expect(slowestMs).toBeLessThan(HANGING_MS);
      expect(await isShared(nodes)).toBe(true);
      for (const node of nodes) expect([count(node, LOST), count(node, BACK)]).toEqual([1, 1]);
      expect(nodes.map(({ stderr }) => stderr).join()).not.toContain('hunter2');
    },
  );

  it('each enforce the limit while Redis is gone', async () => {
    await redis.start();
    const nodes = await startNodes(5);
    await redis.kill();
    for (const node of nodes) {
      await until(async () => (await storeUp(node)) === 0);
      const statuses = [];
      for (let request = 0; request < 7; request++) statuses.push((await ask(at(node), {})).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    }
  });
});

describe('A node whose Redis is down', () => {
  it('starts, logs that once, and shares as soon as Redis is there', async () => {
    const nodes = await startNodes(1_000);
    await pause(2_000);
    for (const node of nodes) {
      expect(await remainingAt(node)).toBe(999);
      expect([await storeUp(node), count(node, LOST), count(node, BACK)]).toEqual([0, 1, 0]);
    }
    await redis.start();
    await until(async () => (await Promise.all(nodes.map(storeUp))).every((up) => up === 1));
    expect(await isShared(nodes)).toBe(true);
    for (const node of nodes) expect([count(node, LOST), count(node, BACK)]).toEqual([1, 1]);
    for (const node of nodes) expect(await node.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('starts without a long wait when Redis accepts connections and never responds', async () => {
    await redis.start();
    redis.signal('SIGSTOP');
    const node = await startNode(1_000);
    expect(await remainingAt(node)).toBe(999);
    redis.signal('SIGCONT');
    await until(async () => (await storeUp(node)) === 1);
    expect(await node.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('starts with a wrong password, and does not repeat it', async () => {
    await redis.start();
    const node = await startNode(1_000, { REDIS_URL: redis.url.replace('hunter2', 'hunter3') });
    expect(await remainingAt(node)).toBe(999);
    expect([await storeUp(node), count(node, LOST)]).toEqual([0, 1]);
    expect(node.stderr).not.toMatch(/hunter[23]/);
  });
});
