import { pino } from 'pino';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import type { Settings } from '../../src/platform/config/settings';
import { RateLimitStore } from '../../src/platform/rate-limit/rate-limit-store';
import { Metrics } from '../../src/platform/telemetry/metrics';
import { RedisServer } from '../support/databases/redis-server';
import { fakeOnly } from '../support/fake-only';
import { startAnotherNode, startTestService } from '../support/service/service';
import { until } from '../support/until';

const HOUR_MS = 3_600_000;

describe('A store of rate limits in Redis', () => {
  let redis: RedisServer;
  let store: RateLimitStore;

  beforeEach(async () => {
    redis = await RedisServer.run();
    fakeOnly(['setInterval', 'clearInterval']);
    const settings = { redisUrl: redis.url } as Settings;
    store = new RateLimitStore(settings, new Metrics(), pino({ level: 'silent' }));
    await store.open();
  });
  afterEach(async () => {
    store.onApplicationShutdown();
    jest.useRealTimers();
    jest.restoreAllMocks();
    await redis.kill();
  });

  it('asks Redis again within a minute about a refused client, even when the clock was set back by an hour', async () => {
    const limiter = store.limiter({ name: 'default', perMinute: 1 });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR_MS);
    await limiter.consume('client');
    await expect(limiter.consume('client')).rejects.toMatchObject({ consumedPoints: 2 });
    clock.mockRestore();
    // Redis forgets the window in the meantime.
    await redis.kill();
    await redis.start();
    await until(() => store.shared === 'up');
    await expect(limiter.consume('client')).rejects.toBeDefined();
    jest.advanceTimersByTime(60_000);
    expect(await limiter.consume('client')).toMatchObject({ consumedPoints: 1 });
  });
});

describe('An API key with a limit of its own on two nodes', () => {
  it('is limited over both nodes with Redis, and so is its quota', async () => {
    const redis = await RedisServer.run();
    const environment = { REDIS_URL: redis.url };
    const service = await startTestService('postgres', environment);
    const other = await startAnotherNode(service, environment);
    try {
      const wanted = { limitPerMinute: 4, quotaPerMonth: 3 };
      const keys = service.app.get(ApiKeysService);
      const { key, token } = await keys.create({ name: 'till', scopes: ['pets:read'], ...wanted });
      const found = [];
      for (const node of [service, other, service, other, service]) {
        const response = await fetch(`${node.url}/v1/pets?limit=1`, {
          headers: { authorization: `Bearer ${token}` },
        });
        found.push([response.status, response.headers.get('ratelimit')?.replaceAll(/;t=\d+/g, '')]);
      }
      expect(found).toEqual([
        [200, '"default";r=3, "monthly-quota";r=2'],
        [200, '"default";r=2, "monthly-quota";r=1'],
        [200, '"default";r=1, "monthly-quota";r=0'],
        [429, '"default";r=0, "monthly-quota";r=0'],
        [429, '"default";r=0'],
      ]);
      expect(key.limitPerMinute).toBe(4);
    } finally {
      await other.stop();
      await service.stop();
      await redis.kill();
    }
  });
});
