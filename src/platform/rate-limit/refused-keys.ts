import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { addressBlock, clientAddress } from '../http/client-address';
import { Metrics } from '../telemetry/metrics';
import { REFUSED_KEYS_POLICY } from './rate-limit-policy';
import { RateLimitStore } from './rate-limit-store';
import { RequestCounter } from './request-counter';

/**
 * How many addresses are told apart. Those of one bucket share a budget: so a flood from any number of addresses takes
 * a bounded amount of memory (about 30 MB), and no store learns an address.
 */
const BUCKETS = 65_536;

/** The limit of API keys that are not valid, for each address they come from. */
@Injectable()
export class RefusedKeys {
  private readonly counter: RequestCounter | undefined;

  constructor(@InjectSettings() settings: Settings, store: RateLimitStore, metrics: Metrics) {
    const policy = { name: REFUSED_KEYS_POLICY, perMinute: settings.rateLimitPerMinute };
    if (policy.perMinute > 0) this.counter = new RequestCounter(policy, store.limiter(policy), metrics);
  }

  /**
   * Counts a key that is not valid, or one of which nobody knows yet: guesses are counted before they are looked up, so
   * that any number of them at once cannot pass.
   *
   * @returns undefined when there is no limit
   * @throws RateLimitedError
   */
  count(request: Request): Promise<unknown> | undefined {
    return this.counter?.count(addressBucket(request));
  }

  /** The key was valid after all, or could not be looked up. */
  giveBack(request: Request): void {
    this.counter?.giveBack(addressBucket(request));
  }
}

/** What the requests of an address are counted under. */
export function addressBucket(request: Request): string {
  return String(crc32(addressBlock(clientAddress(request))) % BUCKETS);
}
