import {
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import { limiterOptions, type RateLimitPolicy } from './rate-limit-policy';

/** How long a worker waits for the primary process to count a request, in milliseconds. Then it counts by itself. */
const ANSWER_TIMEOUT_MS = 1_000;

/**
 * Lets this process, the primary one of a cluster, count for its workers, so that the limits hold for all of them
 * together. To be called before the first worker is forked: a worker announces its limits once. Every worker needs a
 * listener for `error`: one that leaves between its question and the answer would end this process otherwise.
 */
export function serveRateLimitsToWorkers(): void {
  void new RateLimiterClusterMaster();
}

/** The limiter of a policy in a worker: the primary process counts. */
export function workerLimiter(policy: RateLimitPolicy): RLWrapperTimeouts {
  const options = limiterOptions(policy);
  return new RLWrapperTimeouts({
    limiter: new RateLimiterCluster({ ...options, timeoutMs: 2 * ANSWER_TIMEOUT_MS }),
    timeoutMs: ANSWER_TIMEOUT_MS,
    insuranceLimiter: new RateLimiterMemory(options),
  });
}
