import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit-store';
import { addressBucket } from '../../../platform/rate-limit/refused-keys';
import { RequestCounter } from '../../../platform/rate-limit/request-counter';
import { Metrics } from '../../../platform/telemetry/metrics';

/** Failed sign-ins an address may have in a minute. */
export const FAILED_SIGN_INS_PER_MINUTE = 10;

/** Limits failed sign-ins for each address, over all processes as the other rate limits. */
@Injectable()
export class SignInLimit {
  private readonly counter: RequestCounter;

  constructor(store: RateLimitStore, metrics: Metrics) {
    const policy = { name: 'sign-in', perMinute: FAILED_SIGN_INS_PER_MINUTE };
    this.counter = new RequestCounter(policy, store.limiter(policy), metrics);
  }

  /** Counts an attempt before it is judged, so that any number of them at once cannot pass. @throws RateLimitedError */
  async count(request: Request): Promise<void> {
    await this.counter.count(addressBucket(request));
  }

  /** The attempt was good after all, or could not be judged. */
  giveBack(request: Request): void {
    this.counter.giveBack(addressBucket(request));
  }
}
