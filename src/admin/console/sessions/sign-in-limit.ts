import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { addressBlock, clientAddress } from '../../../platform/security/client-address';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit-store';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { RequestCounter } from '../../../platform/rate-limit/request-counter';
import { Metrics } from '../../../platform/telemetry/metrics';

/** Failed sign-ins an address may have in a minute, so many with one key from all addresses together, and so many logout tokens of an address. */
export const FAILED_SIGN_INS_PER_MINUTE = 10;

/** Sign-ins of command lines that an address may begin in a minute and not complete: each is a code at the provider that waits. */
export const DEVICE_SIGN_INS_PER_MINUTE = 10;

/** How often a minute the provider is asked about one of them; its own interval is five seconds where it says nothing else. */
export const DEVICE_QUESTIONS_PER_MINUTE = 30;

/**
 * Refusals that are recorded in a minute, from all addresses together. An attacker with many addresses must not fill the audit
 * log, because nothing is ever removed from it.
 */
export const RECORDED_REFUSALS_PER_MINUTE = 60;

/** Limits failed sign-ins for each address and for each key, over all processes as the other rate limits. */
@Injectable()
export class SignInLimit {
  private readonly addresses: RequestCounter;
  private readonly keys: RequestCounter;
  private readonly begun: RequestCounter;
  private readonly logouts: RequestCounter;
  private readonly questions: RateLimiterAbstract;
  private readonly recorded: RateLimiterAbstract;

  constructor(
    private readonly store: RateLimitStore,
    metrics: Metrics,
  ) {
    const counter = (name: string, perMinute = FAILED_SIGN_INS_PER_MINUTE) => {
      const policy = { name, perMinute };
      return new RequestCounter(policy, store.limiter(policy), metrics);
    };
    this.addresses = counter('sign-in');
    this.keys = counter('sign-in-key');
    this.begun = counter('sign-in-device', DEVICE_SIGN_INS_PER_MINUTE);
    this.logouts = counter('back-channel-logout');
    this.questions = store.limiter({
      name: 'sign-in-device-questions',
      perMinute: DEVICE_QUESTIONS_PER_MINUTE,
    });
    this.recorded = store.limiter({ name: 'sign-in-records', perMinute: RECORDED_REFUSALS_PER_MINUTE });
  }

  /** Counts an attempt of an address before it is decided, so that any number of them at once cannot pass. @throws RateLimitedError */
  async count(request: Request): Promise<void> {
    await this.addresses.count(this.bucketOf(request));
  }

  /** The attempt succeeded after all, or could not be decided. */
  giveBack(request: Request): void {
    this.addresses.giveBack(this.bucketOf(request));
  }

  /**
   * Counts a key after it was refused, so that a good one is never kept waiting; whether there is such a key makes no
   * difference, so that the response does not give it away.
   *
   * @param text what was given for a key
   * @throws RateLimitedError
   */
  async countRefused(text: string): Promise<void> {
    await this.keys.count(this.store.bucketOf(text));
  }

  /** Counts a logout token that was refused. @throws RateLimitedError */
  async countRefusedLogout(request: Request): Promise<void> {
    await this.logouts.count(this.bucketOf(request));
  }

  /** Counts the sign-in that a command line begins. @throws RateLimitedError */
  async countBegun(request: Request): Promise<void> {
    await this.begun.count(this.bucketOf(request));
  }

  /** The person has completed it. */
  giveBackBegun(request: Request): void {
    this.begun.giveBack(this.bucketOf(request));
  }

  /** Whether the provider may be asked about the sign-in of a command line once more. */
  mayAsk(deviceCode: string): Promise<boolean> {
    return isWithin(this.questions, this.store.bucketOf(deviceCode));
  }

  /** Whether one more refusal is to be recorded. */
  mayRecord(): Promise<boolean> {
    return isWithin(this.recorded, 'all');
  }

  private bucketOf(request: Request): string {
    return this.store.bucketOf(addressBlock(clientAddress(request)));
  }
}

async function isWithin(limiter: RateLimiterAbstract, bucket: string): Promise<boolean> {
  try {
    await limiter.consume(bucket);
    return true;
  } catch (outcome) {
    if (!(outcome instanceof RateLimiterRes)) throw outcome;
    return false;
  }
}
