import { Injectable } from '@nestjs/common';
import { hashToken, isWellFormedToken } from '../platform/security/api-key-token';
import type { Principal } from '../platform/security/principal';
import type { ApiKey } from './api-key.entity';
import { ApiKeysRepository } from './api-keys.repository';
import { KeyUsage } from './usage/key-usage';
import { statusOf } from './view-key';

/** A key that a person is signed in with, and its name. */
export interface SignedInKey extends Principal {
  readonly name: string;
}

/** What a sign-in with a token gives: the key, or why it is refused. */
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

  /** Checks the text that a person gave as a token. */
  async validate(text: string): Promise<SignInVerdict> {
    // A typo or a scan is refused without a query.
    const key = isWellFormedToken(text) ? await this.keys.findByHash(hashToken(text)) : null;
    if (!key) return { refusal: 'unknown' };
    const status = statusOf(key, new Date());
    return status === 'active' ? { key: this.use(key) } : { refusal: status, keyId: key.id };
  }

  /** The key of a person who has signed in; null when it is revoked, disabled or expired by now. */
  async find(keyId: string): Promise<SignedInKey | null> {
    const key = await this.keys.find(keyId);
    return key && statusOf(key, new Date()) === 'active' ? this.use(key) : null;
  }

  private use({ id, lineageId, name, scopes }: ApiKey): SignedInKey {
    this.usage.noteUse(id, Date.now());
    return { keyId: id, lineageId, name, scopes: new Set(scopes) };
  }
}
