import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { hashToken, isWellFormedToken } from '../../platform/security/api-key-token';
import type { ApiKey } from '../api-key.entity';
import { ApiKeysRepository } from '../api-keys.repository';
import type { KeyView } from '../dto/key-view';
import { KeyChanges } from '../key-changes';
import { statusOf, viewKey } from '../view-key';

/** Keys whose tokens were found where others can read them. */
@Injectable()
export class LeakedKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly changes: KeyChanges,
    private readonly database: Database,
  ) {}

  /** The key of a token; undefined when there is none. */
  async find(token: string): Promise<KeyView | undefined> {
    const key = await this.keyOf(token);
    return key ? viewKey(key) : undefined;
  }

  /**
   * Disables the key of a token, unless it does not work any more: at once on this node, and within seconds elsewhere. The last
   * key that may manage keys too, for strangers can use it.
   *
   * @param foundAt where the token was found; stands in the audit log
   * @returns the key as it is then, and whether this has disabled it; undefined when no key has the token
   */
  async disable(
    token: string,
    foundAt: string,
  ): Promise<{ readonly key: KeyView; readonly isDisabledNow: boolean } | undefined> {
    const known = await this.keyOf(token);
    return known ? this.database.transaction(() => this.disableKey(known.id, foundAt)) : undefined;
  }

  private async disableKey(id: string, foundAt: string) {
    const key = await this.changes.findLocked(id);
    const isDisabledNow = statusOf(key, new Date()) === 'active';
    const view = isDisabledNow
      ? await this.changes.apply('disable', key, { disabledAt: new Date() }, { foundAt })
      : viewKey(key);
    return { key: view, isDisabledNow };
  }

  private async keyOf(token: string): Promise<ApiKey | null> {
    return isWellFormedToken(token) ? this.keys.findByHash(hashToken(token)) : null;
  }
}
