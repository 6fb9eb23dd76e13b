import { Injectable } from '@nestjs/common';
import { hashToken, isWellFormedToken } from '../platform/security/api-key-token';
import type { Principal } from '../platform/security/principal';
import type { ApiKey } from './api-key.entity';
import { ApiKeysRepository } from './api-keys.repository';
import { KeyUsage } from './usage/key-usage';
import { statusOf } from './view-key';

/** A key that somebody is signed in with, and what it is called. */
export interface SignedInKey extends Principal {
  readonly name: string;
}

/** What is to be said of a token: whose it is, or why nobody is signed in with it. */
export type SignInVerdict =
  | { readonly key: SignedInKey }
  | { readonly refusal: string; /** Unset when no key has this token. */ readonly keyId?: string };

/**
 * Signs people in with API keys. It asks the database each time rather than a cache: whatever is done to a key counts at
 * once, on every node.
 */
@Injectable()
export class KeySignIn {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly usage: KeyUsage,
  ) {}

  /** Judges what somebody gives for a token. */
  async judge(text: string): Promise<SignInVerdict> {
    // A typo or a scan is refused without a query.
    const key = isWellFormedToken(text) ? await this.keys.findByHash(hashToken(text)) : null;
    if (!key) return { refusal: 'unknown' };
    const status = statusOf(key, new Date());
    return status === 'active' ? { key: this.use(key) } : { refusal: status, keyId: key.id };
  }

  /** The key of somebody who has signed in; null when it is revoked, disabled or expired by now. */
  async find(keyId: string): Promise<SignedInKey | null> {
    const key = await this.keys.find(keyId);
    return key && statusOf(key, new Date()) === 'active' ? this.use(key) : null;
  }

  private use({ id, lineageId, name, scopes }: ApiKey): SignedInKey {
    this.usage.noteUse(id, Date.now());
    return { keyId: id, lineageId, name, scopes: new Set(scopes) };
  }
}
