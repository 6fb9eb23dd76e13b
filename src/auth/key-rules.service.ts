import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { KeyRules } from './dto/key-rules';
import type { KeyView } from './dto/key-view';
import { fitRules } from './fit-rules';
import { KeyChanges } from './key-changes';
import { rulesOf, storedRules } from './view-key';

/** What can be changed of a key. */
export interface ChangedKey extends KeyRules {
  readonly owner: string;
}

/** Changes from where and how often keys may be used, and whose they are. */
@Injectable()
export class KeyRulesService {
  constructor(
    private readonly changes: KeyChanges,
    private readonly database: Database,
  ) {}

  /**
   * Changes a key: at once on this node, and within seconds elsewhere. What is not given stays as it is.
   *
   * @throws ApiKeyNotFoundError, or UnfitApiKeyError
   */
  change(id: string, { owner, ...wanted }: Partial<ChangedKey>): Promise<KeyView> {
    return this.database.transaction(async () => {
      const key = await this.changes.findLocked(id);
      const rules = storedRules(fitRules({ ...rulesOf(key), ...wanted }));
      return this.changes.apply('update', key, { ...rules, ...(owner !== undefined && { owner }) });
    });
  }
}
