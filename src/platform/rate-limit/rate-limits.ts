import { Injectable } from '@nestjs/common';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import type { OwnLimits, Principal } from '../security/principal';
import { Metrics } from '../telemetry/metrics';
import { MonthlyQuotas } from './monthly-quotas';
import { DEFAULT_POLICY, type RateLimitPolicy } from './rate-limit-policy';
import { RateLimitStore } from './rate-limit-store';
import { type RateLimitFields, RequestCounter } from './request-counter';

/** Number of requests that a client may make, and of those that are left. */
export interface Budget {
  readonly limit: number;
  readonly left: number;
}

/** Limits of API keys. A key and its successors are one client: a rotation gives no new budget. */
@Injectable()
export class RateLimits {
  /** True if clients without limits of their own are limited. */
  readonly isOn: boolean;
  private readonly counters = new Map<string, RequestCounter>();
  /** Counters for clients with limits of their own, by requests per minute. */
  private readonly ownCounters = new Map<number, RequestCounter>();

  constructor(
    @InjectSettings() private readonly settings: Settings,
    private readonly store: RateLimitStore,
    private readonly metrics: Metrics,
    private readonly quotas: MonthlyQuotas,
  ) {
    const { rateLimitPerMinute } = settings;
    this.isOn = rateLimitPerMinute > 0;
    if (this.isOn) this.add({ name: DEFAULT_POLICY, perMinute: rateLimitPerMinute });
  }

  /** Limits the operations of further policies, if clients are limited. */
  declare(policies: readonly RateLimitPolicy[]): void {
    if (this.isOn) policies.forEach((policy) => this.add(policy));
  }

  /**
   * Counts a request.
   *
   * @param policy of the operation; without one the request counts toward the common limit, or that of the client
   * @returns fields that tell the client its remaining budget, for its response whatever that is
   * @throws RateLimitedError
   */
  count(policy: RateLimitPolicy | undefined, { lineageId, limits }: Principal): Promise<RateLimitFields> {
    if (limits) return this.countOwn(policy, lineageId, limits);
    const counter = this.counters.get(policy?.name ?? DEFAULT_POLICY) as RequestCounter;
    return counter.count(lineageId);
  }

  /** Returns the budget of the present minute; undefined without a limit. Without a Redis it counts this node only. */
  async minuteOf(lineageId: string, perMinute: number | undefined): Promise<Budget | undefined> {
    const limit = perMinute ?? this.settings.rateLimitPerMinute;
    const left = await this.minuteCounter(undefined, perMinute)?.left(lineageId);
    return left === undefined ? undefined : { limit, left };
  }

  private add(policy: RateLimitPolicy): void {
    const counter = new RequestCounter(policy, this.store.limiter(policy), this.metrics);
    this.counters.set(policy.name, counter);
  }

  private async countOwn(
    policy: RateLimitPolicy | undefined,
    lineageId: string,
    { perMinute, perMonth }: OwnLimits,
  ): Promise<RateLimitFields> {
    // A request that exceeds the limit of the minute uses nothing of the month.
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
      // Counted under the common name: in Redis a client whose limit changes goes on in the window that has begun. In memory it
      // begins anew.
      const own = { name: DEFAULT_POLICY, perMinute };
      counter = new RequestCounter(own, this.store.limiter(own), this.metrics);
      this.ownCounters.set(perMinute, counter);
    }
    return counter;
  }
}
