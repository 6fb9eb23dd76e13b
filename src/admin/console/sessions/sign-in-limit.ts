import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { addressBlock, clientAddress } from '../../../platform/security/client-address';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit-store';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { RequestCounter } from '../../../platform/rate-limit/request-counter';
import { Metrics } from '../../../platform/telemetry/metrics';

/**
 * Limit per minute of failed sign-ins from one address, of failed sign-ins with one key from all addresses together, and of
 * refused logout tokens from one address.
 */
export const FAILED_SIGN_INS_PER_MINUTE = 10;

/**
 * Limit per minute of refusals that are recorded, from all addresses together. An attacker with many addresses must not fill
 * the audit log, which keeps its events for years.
 */
export const RECORDED_REFUSALS_PER_MINUTE = 60;

/** Limits failed sign-ins for each address and for each key, over all processes like the other rate limits. */
@Injectable()
export class SignInLimit {
  private readonly addresses: RequestCounter;
  private readonly keys: RequestCounter;
  private readonly logouts: RequestCounter;
  private readonly recorded: RateLimiterAbstract;

  constructor(
    private readonly store: RateLimitStore,
    metrics: Metrics,
  ) {
    const counter = (name: string) => {
      const policy = { name, perMinute: FAILED_SIGN_INS_PER_MINUTE };
      return new RequestCounter(policy, store.limiter(policy), metrics);
    };
    this.addresses = counter('sign-in');
    this.keys = counter('sign-in-key');
    this.logouts = counter('back-channel-logout');
    this.recorded = store.limiter({ name: 'sign-in-records', perMinute: RECORDED_REFUSALS_PER_MINUTE });
  }

  /**
   * Counts an attempt of an address before it is decided, so that simultaneous attempts cannot pass the limit.
   *
   * @throws RateLimitedError
   */
  async count(request: Request): Promise<void> {
    await this.addresses.count(this.bucketOf(request));
  }

  /** Takes back the count of an attempt that succeeded or could not be decided. */
  giveBack(request: Request): void {
    this.addresses.giveBack(this.bucketOf(request));
  }

  /**
   * Counts a key after it was refused, so that a good one never has to wait. Keys that do not exist count as well, so that the
   * response does not tell which do.
   *
   * @param text the key as typed
   * @throws RateLimitedError
   */
  async countRefused(text: string): Promise<void> {
    await this.keys.count(this.store.bucketOf(text));
  }

  /** Counts a logout token that was refused. @throws RateLimitedError */
  async countRefusedLogout(request: Request): Promise<void> {
    await this.logouts.count(this.bucketOf(request));
  }

  /** True if one more refusal may be recorded; counts it. */
  async mayRecord(): Promise<boolean> {
    try {
      await this.recorded.consume('all');
      return true;
    } catch (outcome) {
      if (!(outcome instanceof RateLimiterRes)) throw outcome;
      return false;
    }
  }

  private bucketOf(request: Request): string {
    return this.store.bucketOf(addressBlock(clientAddress(request)));
  }
}
