import { Injectable } from '@nestjs/common';
import { hashToken, isWellFormedToken } from '../platform/security/api-key-token';
import { Networks } from '../platform/security/networks';
import type { Principal } from '../platform/security/principal';
import type { ApiKey } from './api-key.entity';
import { ApiKeysRepository } from './api-keys.repository';
import { KeyUsage } from './usage/key-usage';
import { statusOf } from './view-key';

/** A key that a person is signed in with, and its name. */
export interface SignedInKey extends Principal {
  readonly name: string;
}

/** Result of a sign-in with a token: the key, or the reason why it is refused. */
export type SignInVerdict =
  | { readonly key: SignedInKey }
  | { readonly refusal: string; /** Unset when no key has this token. */ readonly keyId?: string };

/**
 * Signs people in with API keys. It asks the database each time, not the cache: a change of a key takes effect at once, on
 * every node.
 */
@Injectable()
export class KeySignIn {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly usage: KeyUsage,
  ) {}

  /**
   * Checks the text that a person gave as a token.
   *
   * @param address the person's address, as `clientAddress` returns it
   */
  async validate(text: string, address: string): Promise<SignInVerdict> {
    // A typo or a scan is refused without a query.
    const key = isWellFormedToken(text) ? await this.keys.findByHash(hashToken(text)) : null;
    if (!key) return { refusal: 'unknown' };
    const status = statusOf(key, new Date());
    if (status !== 'active') return { refusal: status, keyId: key.id };
    return mayUse(key, address) ? { key: this.use(key) } : { refusal: 'address not allowed', keyId: key.id };
  }

  /**
   * The key of a person who has signed in; null if it is revoked, disabled or expired by now, or not allowed for that address.
   */
  async find(keyId: string, address: string): Promise<SignedInKey | null> {
    const key = await this.keys.find(keyId);
    const isGood = key && statusOf(key, new Date()) === 'active' && mayUse(key, address);
    return isGood ? this.use(key) : null;
  }

  private use({ id, lineageId, name, scopes }: ApiKey): SignedInKey {
    this.usage.noteUse(id, Date.now());
    return { keyId: id, lineageId, name, scopes: new Set(scopes) };
  }
}

function mayUse({ networks }: ApiKey, address: string): boolean {
  return networks === null || new Networks(networks).includes(address);
}
