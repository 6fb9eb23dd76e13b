import cluster from 'node:cluster';
import {
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import { limiterOptions, type RateLimitPolicy } from './rate-limit-policy';

/** How long a worker waits for the primary process to count a request, in milliseconds. Then it counts by itself. */
const ANSWER_TIMEOUT_MS = 1_000;

/** What writing to a worker that has left fails with. */
const LOST_CHANNEL = new Set(['EPIPE', 'ERR_IPC_CHANNEL_CLOSED']);

/**
 * Lets this process, the primary one of a cluster, count for its workers, so that the limits hold for all of them
 * together. To be called before the first worker is forked: a worker announces its limits once.
 */
export function serveRateLimitsToWorkers(): void {
  void new RateLimiterClusterMaster();
  // A worker that leaves between its question and the answer would otherwise end the primary process.
  cluster.on('fork', (worker) => worker.on('error', ignoreLostChannel));
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

function ignoreLostChannel(error: NodeJS.ErrnoException): void {
  if (!LOST_CHANNEL.has(error.code ?? '')) throw error;
}
