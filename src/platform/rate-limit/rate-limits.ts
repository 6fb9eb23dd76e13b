import { Injectable } from '@nestjs/common';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import type { Operation } from '../http/operation';
import { OperationRegistry } from '../http/operation-registry';
import type { Principal } from '../security/principal';
import { Metrics } from '../telemetry/metrics';
import { declaredPolicies } from './declared-policies';
import { DEFAULT_POLICY } from './rate-limit-policy';
import { RateLimitStore } from './rate-limit-store';
import { type RateLimitFields, RequestCounter } from './request-counter';

/** The limits of API keys. A key and its successors are one client: a rotation gives nobody a new budget. */
@Injectable()
export class RateLimits {
  /** Whether there are any. */
  readonly isOn: boolean;
  private readonly counters = new Map<string, RequestCounter>();

  constructor(
    @InjectSettings() { rateLimitPerMinute }: Settings,
    registry: OperationRegistry,
    store: RateLimitStore,
    metrics: Metrics,
  ) {
    this.isOn = rateLimitPerMinute > 0;
    const policies = declaredPolicies(registry.operations);
    if (!this.isOn) return;
    for (const policy of [{ name: DEFAULT_POLICY, perMinute: rateLimitPerMinute }, ...policies]) {
      this.counters.set(policy.name, new RequestCounter(policy, store.limiter(policy), metrics));
    }
  }

  /**
   * Counts a request.
   *
   * @returns fields that tell the client what is left; its answer has them, whatever it is
   * @throws RateLimitedError
   */
  count(operation: Operation, { lineageId }: Principal): Promise<RateLimitFields> {
    const counter = this.counters.get(operation.rateLimit?.name ?? DEFAULT_POLICY) as RequestCounter;
    return counter.count(lineageId);
  }
}
