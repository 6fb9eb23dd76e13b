import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import type { Principal } from '../security/principal';
import { Metrics } from '../telemetry/metrics';
import { DEFAULT_POLICY, type RateLimitPolicy } from './rate-limit-policy';
import { RateLimitStore } from './rate-limit-store';
import { type RateLimitFields, RequestCounter } from './request-counter';

/** The policies that operations declare, for those who ask Nest for them. */
export const DECLARED_POLICIES = Symbol('declared rate limit policies');

/** The limits of API keys. A key and its successors are one client: a rotation gives no new budget. */
@Injectable()
export class RateLimits {
  /** Whether there are any. */
  readonly isOn: boolean;
  private readonly counters = new Map<string, RequestCounter>();

  constructor(
    @InjectSettings() { rateLimitPerMinute }: Settings,
    @Inject(DECLARED_POLICIES) policies: readonly RateLimitPolicy[],
    store: RateLimitStore,
    metrics: Metrics,
  ) {
    this.isOn = rateLimitPerMinute > 0;
    if (!this.isOn) return;
    for (const policy of [{ name: DEFAULT_POLICY, perMinute: rateLimitPerMinute }, ...policies]) {
      this.counters.set(policy.name, new RequestCounter(policy, store.limiter(policy), metrics));
    }
  }

  /**
   * Counts a request.
   *
   * @param policy the operation's own; without one it counts toward the common limit
   * @returns fields that tell the client what is left; its response has them, whatever it is
   * @throws RateLimitedError
   */
  count(policy: RateLimitPolicy | undefined, { lineageId }: Principal): Promise<RateLimitFields> {
    const counter = this.counters.get(policy?.name ?? DEFAULT_POLICY) as RequestCounter;
    return counter.count(lineageId);
  }
}
