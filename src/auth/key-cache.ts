import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Networks } from '../platform/security/networks';
import type { Principal } from '../platform/security/principal';

/** Longest time for which a result of the database about a key counts, in milliseconds, from when it was asked. */
export const KEY_CACHE_TTL_MS = 5_000;

/** A known key. */
export interface CachedKey {
  readonly principal: Principal;
  /** Unix time in milliseconds; Infinity if it does not expire. */
  readonly expiresAt: number;
  /** Networks it may be used from; unset for anywhere. */
  readonly networks: Networks | undefined;
}

/** Reason why a token is not a key that works. */
export type KeyRefusal = 'unknown' | 'disabled' | 'revoked';

/** Knowledge about a token: its key, or the reason why it is refused. */
export type Known = CachedKey | KeyRefusal;

/** A question to the database about a token, under way. */
interface LookUp {
  /** Time of the question, by `performance.now()`. */
  readonly askedAt: number;
  known?: Promise<Known>;
}

/**
 * Results of the database about tokens, by their SHA-256, for at most five seconds from the question: for that long a key
 * revoked elsewhere may still work here. A result may be late, and says nothing about what has happened since the question.
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
  /** The latest look-up of each token: requests with one key that arrive together ask once. */
  private readonly lookUps = new Map<string, LookUp>();

  /** Returns what is known about a token; undefined if nothing is. */
  get(tokenHash: string): Known | undefined {
    return this.accepted.get(tokenHash) ?? this.refused.get(tokenHash);
  }

  /**
   * True if the token was good when it was last looked up, however long ago. A client that sends such a token does not guess.
   */
  wasAccepted(tokenHash: string): boolean {
    return this.accepted.peek(tokenHash, { allowStale: true }) !== undefined;
  }

  /** The result of a look-up under way, unless the look-up is older than results may be. */
  pending(tokenHash: string): Promise<Known> | undefined {
    const lookUp = this.lookUps.get(tokenHash);
    return lookUp && performance.now() - lookUp.askedAt < KEY_CACHE_TTL_MS ? lookUp.known : undefined;
  }

  /**
   * Begins a look-up.
   *
   * @param ask asks the database and hands its result to `remember`. The result is dropped if a later look-up has begun
   * meanwhile or the token was forgotten: it may be out of date then
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

  /** Makes the next request ask the database, even if the result of an earlier one is on its way. */
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
