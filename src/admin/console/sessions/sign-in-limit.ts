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

/** Limit per minute of other forms without a session from one address; what comes of them is the same for everybody. */
export const FORMS_OF_STRANGERS_PER_MINUTE = 60;

/**
 * Limit per minute of logouts of the OIDC provider from one address that are being read or were not carried out: a provider may end
 * all its sessions at once.
 */
export const LOGOUTS_PER_MINUTE = 600;

/**
 * Limit per minute of refusals that are recorded for keys, and as many for people, from all addresses together. An attacker with many addresses must not fill
 * the audit log, which keeps its events for years.
 */
export const RECORDED_REFUSALS_PER_MINUTE = 60;

/** Limits failed sign-ins for each address and for each key, over all processes like the other rate limits. */
@Injectable()
export class SignInLimit {
  private readonly byKey: RequestCounter;
  private readonly byProvider: RequestCounter;
  private readonly keys: RequestCounter;
  private readonly logouts: RequestCounter;
  private readonly refusedLogouts: RequestCounter;
  private readonly forms: RequestCounter;
  private readonly recorded: RateLimiterAbstract;

  constructor(
    private readonly store: RateLimitStore,
    metrics: Metrics,
  ) {
    const counter = (name: string, perMinute = FAILED_SIGN_INS_PER_MINUTE) => {
      const policy = { name, perMinute };
      return new RequestCounter(policy, store.limiter(policy), metrics);
    };
    this.byKey = counter('sign-in');
    this.byProvider = counter('sign-in-oidc');
    this.keys = counter('sign-in-key');
    this.logouts = counter('console-logouts', LOGOUTS_PER_MINUTE);
    this.refusedLogouts = counter('back-channel-logout');
    this.forms = counter('console-forms', FORMS_OF_STRANGERS_PER_MINUTE);
    this.recorded = store.limiter({ name: 'sign-in-records', perMinute: RECORDED_REFUSALS_PER_MINUTE });
  }

  /**
   * Counts a sign-in by key of an address before its form is read, so that simultaneous ones cannot pass the limit.
   *
   * @throws RateLimitedError
   */
  async countKey(request: Request): Promise<void> {
    await this.byKey.count(this.bucketOf(request));
  }

  /** Takes back the count of a sign-in that succeeded or could not be decided. */
  giveBackKey(request: Request): void {
    this.byKey.giveBack(this.bucketOf(request));
  }

  /**
   * Counts a sign-in by OIDC of an address before the provider is asked. It does not count for keys: a page elsewhere can make a
   * browser begin sign-ins that fail.
   *
   * @throws RateLimitedError
   */
  async countProvider(request: Request): Promise<void> {
    await this.byProvider.count(this.bucketOf(request));
  }

  /** Takes back the count of a sign-in that succeeded or could not be decided. */
  giveBackProvider(request: Request): void {
    this.byProvider.giveBack(this.bucketOf(request));
  }

  /** Counts any other form without a session before it is read. @throws RateLimitedError */
  async countForm(request: Request): Promise<void> {
    await this.forms.count(this.bucketOf(request));
  }

  /** Counts a logout of the OIDC provider before it is read. @throws RateLimitedError */
  async countLogout(request: Request): Promise<void> {
    await this.logouts.count(this.bucketOf(request));
  }

  /** Takes back the count of a logout that was carried out. */
  giveBackLogout(request: Request): void {
    this.logouts.giveBack(this.bucketOf(request));
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
    await this.refusedLogouts.count(this.bucketOf(request));
  }

  /** True if one more refusal of keys, or of people, may be recorded; counts it. */
  async mayRecord(of: string): Promise<boolean> {
    try {
      await this.recorded.consume(of);
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
