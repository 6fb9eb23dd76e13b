import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import type { OwnLimits, Principal } from '../security/principal';
import { Metrics } from '../telemetry/metrics';
import { MonthlyQuotas } from './monthly-quotas';
import { DEFAULT_POLICY, type RateLimitPolicy } from './rate-limit-policy';
import { RateLimitStore } from './rate-limit-store';
import { type RateLimitFields, RequestCounter } from './request-counter';

/** The policies that operations declare, for those who ask Nest for them. */
export const DECLARED_POLICIES = Symbol('declared rate limit policies');

/** Requests that a client may make, and those that are left. */
export interface Budget {
  readonly limit: number;
  readonly left: number;
}

/** The limits of API keys. A key and its successors are one client: a rotation gives no new budget. */
@Injectable()
export class RateLimits {
  /** Whether there are any for clients that have none of their own. */
  readonly isOn: boolean;
  private readonly counters = new Map<string, RequestCounter>();
  /** Counters of limits that clients have of their own, by requests in a minute. */
  private readonly ownCounters = new Map<number, RequestCounter>();

  constructor(
    @InjectSettings() private readonly settings: Settings,
    @Inject(DECLARED_POLICIES) policies: readonly RateLimitPolicy[],
    private readonly store: RateLimitStore,
    private readonly metrics: Metrics,
    private readonly quotas: MonthlyQuotas,
  ) {
    const { rateLimitPerMinute } = settings;
    this.isOn = rateLimitPerMinute > 0;
    if (!this.isOn) return;
    for (const policy of [{ name: DEFAULT_POLICY, perMinute: rateLimitPerMinute }, ...policies]) {
      this.counters.set(policy.name, new RequestCounter(policy, store.limiter(policy), metrics));
    }
  }

  /**
   * Counts a request.
   *
   * @param policy the operation's own; without one it counts toward the common limit, or that of the client
   * @returns fields that tell the client what is left; its response has them, whatever it is
   * @throws RateLimitedError
   */
  count(policy: RateLimitPolicy | undefined, { lineageId, limits }: Principal): Promise<RateLimitFields> {
    if (limits) return this.countOwn(policy, lineageId, limits);
    const counter = this.counters.get(policy?.name ?? DEFAULT_POLICY) as RequestCounter;
    return counter.count(lineageId);
  }

  /** What is left of the minute; undefined without a limit. Without a Redis it is known of this node only. */
  async minuteOf(lineageId: string, perMinute: number | undefined): Promise<Budget | undefined> {
    const limit = perMinute ?? this.settings.rateLimitPerMinute;
    const left = await this.minuteCounter(undefined, perMinute)?.left(lineageId);
    return left === undefined ? undefined : { limit, left };
  }

  private async countOwn(
    policy: RateLimitPolicy | undefined,
    lineageId: string,
    { perMinute, perMonth }: OwnLimits,
  ): Promise<RateLimitFields> {
    // A request that the minute has no room for uses nothing of the month.
    const fields = (await this.minuteCounter(policy, perMinute)?.count(lineageId)) ?? {};
    return perMonth === undefined ? fields : this.quotas.count(lineageId, perMonth, fields);
  }

  private minuteCounter(
    policy: RateLimitPolicy | undefined,
    perMinute: number | undefined,
  ): RequestCounter | undefined {
    if (policy || perMinute === undefined) return this.counters.get(policy?.name ?? DEFAULT_POLICY);
    let counter = this.ownCounters.get(perMinute);
    if (!counter) {
      // Under the common name: a client whose limit changes goes on in the window that has begun.
      const own = { name: DEFAULT_POLICY, perMinute };
      counter = new RequestCounter(own, this.store.limiter(own), this.metrics);
      this.ownCounters.set(perMinute, counter);
    }
    return counter;
  }
}
