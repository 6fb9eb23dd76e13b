import type { Settings } from '../config/settings';
import { type Check, failed, ok } from '../health/check';
import { reasonOf } from '../health/reason-of';
import { probeRedis } from './redis-probe';
import { EACH_BY_ITSELF } from './redis-store';

/** Checks that Redis, which counts requests for all nodes, takes writes. */
export const REDIS: Check<{ readonly settings: Settings }> = {
  name: 'redis',
  needs: 'settings',
  limitMs: 10_000,
  async check({ settings: { redisUrl } }) {
    if (redisUrl === undefined) return [];
    const { host } = new URL(redisUrl);
    try {
      return [ok(`Redis ${await probeRedis(redisUrl)} at ${host} accepts writes.`)];
    } catch (error) {
      return [
        failed(
          `Redis at ${host} does not accept writes: ${reasonOf(error)}; ${EACH_BY_ITSELF}`,
          'Check that Redis runs, that this machine can reach Redis, and that user and password of REDIS_URL are right.',
        ),
      ];
    }
  },
};
