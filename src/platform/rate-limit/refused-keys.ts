import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { addressBlock, clientAddress } from '../security/client-address';
import { Metrics } from '../telemetry/metrics';
import { REFUSED_KEYS_POLICY } from './rate-limit-policy';
import { RateLimitStore } from './rate-limit-store';
import { RequestCounter } from './request-counter';

/** The limit of API keys that are not valid, for each address they come from. */
@Injectable()
export class RefusedKeys {
  private readonly counter: RequestCounter | undefined;

  constructor(
    @InjectSettings() settings: Settings,
    private readonly store: RateLimitStore,
    metrics: Metrics,
  ) {
    const policy = { name: REFUSED_KEYS_POLICY, perMinute: settings.rateLimitPerMinute };
    if (policy.perMinute > 0) this.counter = new RequestCounter(policy, store.limiter(policy), metrics);
  }

  /**
   * Counts a key that is not valid, or that has not been looked up yet. Guesses are counted before their look-up, so that no
   * number of them at once can pass.
   *
   * @returns undefined when there is no limit
   * @throws RateLimitedError
   */
  count(request: Request): Promise<unknown> | undefined {
    return this.counter?.count(this.bucketOf(request));
  }

  /** Takes back the count of a key that was valid after all, or could not be looked up. */
  giveBack(request: Request): void {
    this.counter?.giveBack(this.bucketOf(request));
  }

  private bucketOf(request: Request): string {
    return this.store.bucketOf(addressBlock(clientAddress(request)));
  }
}
