import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../platform/security/principal';

/** Longest time an answer of the database about a key is believed, in milliseconds. */
export const KEY_CACHE_TTL_MS = 5_000;

/** What is known about a token. */
export interface CachedKey {
  readonly principal: Principal;
  /** Unix time in milliseconds; Infinity when it does not expire. */
  readonly expiresAt: number;
}

/** Why a token is no key. */
export type Refusal = 'unknown' | 'disabled' | 'revoked';

/**
 * What the database said about tokens, by their SHA-256, for five seconds at most: so long a key revoked elsewhere may
 * still work here. Refused tokens have a cache of their own: a flood of them must not push out the keys in use.
 */
@Injectable()
export class KeyCache {
  private readonly accepted = new LRUCache<string, CachedKey>({
    max: 10_000,
    ttl: KEY_CACHE_TTL_MS,
    noDeleteOnStaleGet: true,
  });
  private readonly refused = new LRUCache<string, Refusal>({ max: 2_000, ttl: KEY_CACHE_TTL_MS });

  /** The key, the reason when it is known to be none, undefined when nothing is known. */
  get(tokenHash: string): CachedKey | Refusal | undefined {
    return this.accepted.get(tokenHash) ?? this.refused.get(tokenHash);
  }

  /** Whether the token was good when it was last looked up, however long ago: whoever sends it does not guess. */
  wasAccepted(tokenHash: string): boolean {
    return this.accepted.peek(tokenHash, { allowStale: true }) !== undefined;
  }

  accept(tokenHash: string, key: CachedKey): void {
    this.accepted.set(tokenHash, key);
  }

  /** @returns the reason */
  refuse(tokenHash: string, refusal: Refusal): Refusal {
    this.accepted.delete(tokenHash);
    this.refused.set(tokenHash, refusal);
    return refusal;
  }

  forget(tokenHash: string): void {
    this.accepted.delete(tokenHash);
    this.refused.delete(tokenHash);
  }
}
