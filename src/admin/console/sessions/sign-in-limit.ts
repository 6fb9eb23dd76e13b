import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit-store';
import { addressBucket } from '../../../platform/rate-limit/refused-keys';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { RequestCounter } from '../../../platform/rate-limit/request-counter';
import { Metrics } from '../../../platform/telemetry/metrics';

/** Failed sign-ins an address may have in a minute. */
export const FAILED_SIGN_INS_PER_MINUTE = 10;

/**
 * Refusals that are recorded in a minute, from all addresses together: whoever has many must not fill the audit log, of which
 * nothing is ever removed.
 */
export const RECORDED_REFUSALS_PER_MINUTE = 60;

/** Limits failed sign-ins for each address, over all processes as the other rate limits. */
@Injectable()
export class SignInLimit {
  private readonly counter: RequestCounter;
  private readonly recorded: RateLimiterAbstract;

  constructor(store: RateLimitStore, metrics: Metrics) {
    const policy = { name: 'sign-in', perMinute: FAILED_SIGN_INS_PER_MINUTE };
    this.counter = new RequestCounter(policy, store.limiter(policy), metrics);
    this.recorded = store.limiter({ name: 'sign-in-records', perMinute: RECORDED_REFUSALS_PER_MINUTE });
  }

  /** Counts an attempt before it is judged, so that any number of them at once cannot pass. @throws RateLimitedError */
  async count(request: Request): Promise<void> {
    await this.counter.count(addressBucket(request));
  }

  /** The attempt was good after all, or could not be judged. */
  giveBack(request: Request): void {
    this.counter.giveBack(addressBucket(request));
  }

  /** Whether one more refusal is to be recorded. */
  async mayRecord(): Promise<boolean> {
    try {
      await this.recorded.consume('all');
      return true;
    } catch (outcome) {
      if (!(outcome instanceof RateLimiterRes)) throw outcome;
      return false;
    }
  }
}
