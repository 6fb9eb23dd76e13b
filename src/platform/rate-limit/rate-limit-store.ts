import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { Metrics } from '../telemetry/metrics';
import { bucketOf, createBucketSecret } from './buckets';
import { limiterOptions, type RateLimitPolicy, WINDOW_S } from './rate-limit-policy';
import { RedisStore } from './redis-store';

/** Counts requests: in Redis for all nodes, when REDIS_URL names one and it can be reached; otherwise in this process. */
@Injectable()
export class RateLimitStore implements OnApplicationShutdown {
  /** Of this process; a Redis has one for all nodes. */
  private readonly bucketSecret = createBucketSecret();
  private readonly redis: RedisStore | undefined;
  private readonly redisLimiters: RateLimiterRedis[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(@InjectSettings() { redisUrl }: Settings, metrics: Metrics, @InjectLogger() logger: Logger) {
    if (redisUrl) this.redis = new RedisStore(redisUrl, metrics, logger, this.bucketSecret);
  }

  /** State of the Redis that all nodes count in; undefined without one. */
  get shared(): 'up' | 'lost' | undefined {
    if (!this.redis) return undefined;
    return this.redis.isReady ? 'up' : 'lost';
  }

  /** Returns the bucket that stands for a text with unlimited values, such as an address; the same on every node. */
  bucketOf(text: string): string {
    return bucketOf(text, this.redis?.bucketSecret ?? this.bucketSecret);
  }

  /** Returns the limiter of a policy. It always counts: this node counts the requests that Redis cannot count. */
  limiter(policy: RateLimitPolicy): RateLimiterAbstract {
    const options = limiterOptions(policy);
    const local = new RateLimiterMemory(options);
    if (!this.redis) return local;
    const limiter = new RateLimiterRedis({
      ...options,
      storeClient: this.redis,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      insuranceLimiter: local,
      // A client that has exceeded the limit is refused to the end of the window without asking again.
      inMemoryBlockOnConsumed: policy.perMinute + 1,
    });
    this.redisLimiters.push(limiter);
    return limiter;
  }

  /** Connects to Redis, if there is one, and waits a moment for it; never fails. */
  async open(): Promise<void> {
    if (!this.redis) return;
    // The end of the window is a time of the wall clock: without this, setting the clock back would keep clients refused for as
    // long.
    this.timer = setInterval(() => {
      for (const limiter of this.redisLimiters) limiter.deleteInMemoryBlockedAll();
    }, WINDOW_S * 1_000).unref();
    await this.redis.open();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.redis?.close();
  }
}
