import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { KeyRules } from './dto/key-rules';
import type { KeyView } from './dto/key-view';
import { fitRules } from './fit-rules';
import { KeyChanges } from './key-changes';
import { rulesOf, storedRules } from './view-key';

/** Changes from where and how often keys may be used. */
@Injectable()
export class KeyRulesService {
  constructor(
    private readonly changes: KeyChanges,
    private readonly database: Database,
  ) {}

  /**
   * Changes rules of a key: at once on this node, and within seconds elsewhere. Those that are not given stay as they are.
   *
   * @throws ApiKeyNotFoundError, or UnfitApiKeyError
   */
  change(id: string, wanted: Partial<KeyRules>): Promise<KeyView> {
    return this.database.transaction(async () => {
      const key = await this.changes.findLocked(id);
      const change = storedRules(fitRules({ ...rulesOf(key), ...wanted }));
      return this.changes.apply('update', key, change);
    });
  }
}
