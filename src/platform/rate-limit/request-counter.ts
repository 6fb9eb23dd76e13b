import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimitedError } from '../errors/http-errors';
import type { Metrics } from '../telemetry/metrics';
import { type RateLimitPolicy, WINDOW_S } from './rate-limit-policy';

/** The header fields that tell a client of its limit, by name. */
export type RateLimitFields = Readonly<Record<string, string>>;

/**
 * Counts the requests of one policy and writes the header fields of draft-ietf-httpapi-ratelimit-headers-10 about them:
 * `"default";q=600;w=60` and `"default";r=599;t=60`. Their optional partition key is left out: it would name the counted
 * client, which is the one that reads them.
 */
export class RequestCounter {
  private readonly policyField: string;
  private readonly item: string;

  constructor(
    private readonly policy: RateLimitPolicy,
    private readonly limiter: RateLimiterAbstract,
    private readonly metrics: Metrics,
  ) {
    this.item = `"${policy.name}"`;
    this.policyField = `${this.item};q=${policy.perMinute};w=${WINDOW_S}`;
    metrics.rateLimited.inc({ policy: policy.name }, 0);
  }

  /**
   * Counts one request of a client.
   *
   * @throws RateLimitedError when the request is one too many
   */
  async count(client: string): Promise<RateLimitFields> {
    try {
      return this.fieldsOf(await this.limiter.consume(client));
    } catch (outcome) {
      if (!(outcome instanceof RateLimiterRes)) throw outcome;
      this.metrics.rateLimited.inc({ policy: this.policy.name });
      const headers = { ...this.fieldsOf(outcome), 'Retry-After': String(secondsLeft(outcome)) };
      throw new RateLimitedError({ headers });
    }
  }

  /** Takes back the count of one request. */
  giveBack(client: string): void {
    void this.limiter.reward(client);
  }

  /** Returns the number of requests that a client may still make in its window. */
  async left(client: string): Promise<number> {
    // A reward of 0 counts nothing, and uses the same store as every count.
    return (await this.limiter.reward(client, 0)).remainingPoints;
  }

  private fieldsOf(outcome: RateLimiterRes): RateLimitFields {
    return {
      'RateLimit-Policy': this.policyField,
      RateLimit: `${this.item};r=${outcome.remainingPoints};t=${secondsLeft(outcome)}`,
    };
  }
}

/**
 * Returns whole seconds to the end of the window: a client that waits so long finds a new one. Never more than the length of a
 * window; the library returns more after the clock was set back.
 */
function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.min(WINDOW_S, Math.max(1, Math.ceil(msBeforeNext / 1_000)));
}
