import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Networks } from '../platform/security/networks';
import type { Principal } from '../platform/security/principal';

/** Longest time what the database said about a key is believed, in milliseconds, from when it was asked. */
export const KEY_CACHE_TTL_MS = 5_000;

/** What is known about a token. */
export interface CachedKey {
  readonly principal: Principal;
  /** Unix time in milliseconds; Infinity when it does not expire. */
  readonly expiresAt: number;
  /** Where it may be used from; unset for anywhere. */
  readonly networks: Networks | undefined;
}

/** Why a token is no key. */
export type KeyRefusal = 'unknown' | 'disabled' | 'revoked';

/** What is known about a token: the key, or the reason when it is known to be none. */
export type Known = CachedKey | KeyRefusal;

/** A question to the database about a token that is under way. */
interface LookUp {
  /** As `performance.now()`. */
  readonly askedAt: number;
  known?: Promise<Known>;
}

/**
 * What the database said about tokens, by their SHA-256, for five seconds at most from when it was asked: so long a key
 * revoked elsewhere may still work here. The response may be late, and does not tell what has happened since the question.
 * Refused tokens have a cache of their own: a flood of them must not push out the keys in use.
 */
@Injectable()
export class KeyCache {
  private readonly accepted = new LRUCache<string, CachedKey>({
    max: 10_000,
    ttl: KEY_CACHE_TTL_MS,
    noDeleteOnStaleGet: true,
  });
  private readonly refused = new LRUCache<string, KeyRefusal>({ max: 2_000, ttl: KEY_CACHE_TTL_MS });
  /** The latest of each token: requests with one key that arrive together ask once. */
  private readonly lookUps = new Map<string, LookUp>();

  /** Undefined when nothing is known. */
  get(tokenHash: string): Known | undefined {
    return this.accepted.get(tokenHash) ?? this.refused.get(tokenHash);
  }

  /** Whether the token was good when it was last looked up, however long ago. A client that sends such a token does not guess. */
  wasAccepted(tokenHash: string): boolean {
    return this.accepted.peek(tokenHash, { allowStale: true }) !== undefined;
  }

  /** What a look-up under way will tell, unless it was begun longer ago than anything is believed. */
  pending(tokenHash: string): Promise<Known> | undefined {
    const lookUp = this.lookUps.get(tokenHash);
    return lookUp && performance.now() - lookUp.askedAt < KEY_CACHE_TTL_MS ? lookUp.known : undefined;
  }

  /**
   * Begins a look-up.
   *
   * @param ask passes on what the database said, which is remembered unless a later look-up has begun meanwhile or the
   * token is to be forgotten: then it may not be so any more
   */
  lookUp(tokenHash: string, ask: (remember: (known: Known) => void) => Promise<Known>): Promise<Known> {
    const lookUp: LookUp = { askedAt: performance.now() };
    this.lookUps.set(tokenHash, lookUp);
    const isLatest = () => this.lookUps.get(tokenHash) === lookUp;
    const remember = (known: Known) => {
      if (isLatest()) this.remember(tokenHash, known, lookUp.askedAt);
    };
    lookUp.known = ask(remember).finally(() => {
      if (isLatest()) this.lookUps.delete(tokenHash);
    });
    return lookUp.known;
  }

  /** The next request asks the database, whatever is under way. */
  forget(tokenHash: string): void {
    this.lookUps.delete(tokenHash);
    this.accepted.delete(tokenHash);
    this.refused.delete(tokenHash);
  }

  private remember(tokenHash: string, known: Known, start: number): void {
    if (typeof known !== 'string') {
      this.accepted.set(tokenHash, known, { start });
      return;
    }
    this.accepted.delete(tokenHash);
    this.refused.set(tokenHash, known, { start });
  }
}
