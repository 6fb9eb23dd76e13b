import { pino } from 'pino';
import { RedisServer } from '../../../test/support/redis-server';
import { until } from '../../../test/support/until';
import type { Settings } from '../config/settings';
import { Metrics } from '../telemetry/metrics';
import { RateLimitStore } from './rate-limit-store';

const HOUR_MS = 3_600_000;

/** What goes on while intervals are in the hands of the test. */
const BESIDE_INTERVALS = [
  ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
  ...(['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] as const),
];

describe('A store of rate limits in Redis', () => {
  let redis: RedisServer;
  let store: RateLimitStore;

  beforeEach(async () => {
    redis = await RedisServer.run();
    jest.useFakeTimers({ doNotFake: BESIDE_INTERVALS });
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

  it('asks Redis again within a minute about a client that it refuses, when the clock was set back by an hour', async () => {
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
