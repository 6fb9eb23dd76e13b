import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { ApiKey } from './api-key.entity';
import type { KeyChange } from './api-keys.repository';
import { MANAGING_SCOPES } from './auth.scopes';
import type { KeyRules } from './dto/key-rules';
import type { KeyView } from './dto/key-view';
import { fitRules } from './fit-rules';
import { type Confirmed, KeyChanges } from './key-changes';
import { KeyRequirements } from './key-requirements.service';
import { KeyPolicy } from './policy/key-policy';
import { rulesOf, storedRules, viewKey } from './view-key';

/** Members of a key that can be changed. */
export interface ChangedKey extends KeyRules {
  readonly name: string;
  /** Null to remove the owner. */
  readonly owner: string | null;
  readonly scopes: readonly string[];
  /** Null for the latest end that is allowed, or for no end. */
  readonly expiresAt: Date | null;
}

/** Changes existing keys: name, owner, scopes, networks, limits and end. */
@Injectable()
export class KeyUpdates {
  constructor(
    private readonly changes: KeyChanges,
    private readonly requirements: KeyRequirements,
    private readonly policy: KeyPolicy,
    private readonly database: Database,
  ) {}

  /**
   * Changes a key: at once on this node, and within seconds elsewhere. Members that are not given stay as they are; the others
   * are checked as for a new key.
   *
   * @throws ApiKeyNotFoundError, UnfitApiKeyError, ApiKeyRefusedError when the key is revoked or has expired, or
   * LastManagingKeyError unless that is confirmed
   */
  change(id: string, wanted: Partial<ChangedKey>, confirmed: Confirmed = {}): Promise<KeyView> {
    return this.database.transaction(async () => {
      const { scopes } = wanted;
      if (scopes && !MANAGING_SCOPES.every((scope) => scopes.includes(scope))) {
        await this.changes.assertNotLast(id, confirmed);
      }
      const key = await this.changes.findAlive(id);
      const change = this.fit(key, wanted);
      const isSame = isDeepStrictEqual(viewKey(Object.assign({}, key, change)), viewKey(key));
      return isSame ? this.changes.view(key) : this.changes.apply('update', key, change);
    });
  }

  /** @throws UnfitApiKeyError */
  private fit(key: ApiKey, { name, owner, scopes, expiresAt, ...rules }: Partial<ChangedKey>): KeyChange {
    // The lifetime counts from when the key was made, however often its end is moved.
    const end = expiresAt === undefined ? key.expiresAt : this.policy.fitEnd(expiresAt, key.createdAt);
    this.requirements.assertMet({
      ...(name !== undefined && { name }),
      ...(scopes && { scopes }),
      ...(expiresAt !== undefined && end && { expiresAt: end }),
    });
    return {
      ...storedRules(fitRules({ ...rulesOf(key), ...rules })),
      name: name ?? key.name,
      owner: owner === undefined ? key.owner : owner,
      scopes: scopes ? [...new Set(scopes)].sort() : key.scopes,
      expiresAt: end,
    };
  }
}
