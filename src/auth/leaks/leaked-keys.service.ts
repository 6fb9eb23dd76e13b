import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { hashToken, isWellFormedToken } from '../../platform/security/api-key-token';
import type { ApiKey } from '../api-key.entity';
import { ApiKeysRepository } from '../api-keys.repository';
import type { KeyView } from '../dto/key-view';
import { KeyChanges } from '../key-changes';
import { statusOf, viewKey } from '../view-key';

/** Reports of a key that are searched, the newest first. */
const MAX_REPORTS = 1_000;

/** Details of a leak in the audit log. */
interface LeakDetails {
  readonly foundAt: string;
  readonly report?: string | undefined;
}

/** Keys whose tokens were found where others can read them. */
@Injectable()
export class LeakedKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly changes: KeyChanges,
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** The key of a token; undefined if no key has it. */
  async find(token: string): Promise<KeyView | undefined> {
    const key = await this.keyOf(token);
    return key ? viewKey(key) : undefined;
  }

  /**
   * Disables the key of a token if it still works: at once on this node, and within seconds elsewhere. This includes the last
   * key that may manage keys, for strangers can use it.
   *
   * @param foundAt where the token was found, for the audit log
   * @param report name of the report, if it comes from elsewhere: it counts once for a key, so that whoever has captured it
   * cannot disable again what an operator has enabled
   * @returns the key as it is then, and whether this has disabled it; undefined when no key has the token
   */
  async disable(
    token: string,
    foundAt: string,
    report?: string,
  ): Promise<{ readonly key: KeyView; readonly isDisabledNow: boolean } | undefined> {
    const known = await this.keyOf(token);
    return known
      ? this.database.transaction(() => this.disableKey(known.id, { foundAt, report }))
      : undefined;
  }

  private async disableKey(id: string, found: LeakDetails) {
    const key = await this.changes.findLocked(id);
    const isActive = statusOf(key, new Date()) === 'active';
    const isRepeated = found.report !== undefined && (await this.hasCounted(id, found.report));
    if (isActive && !isRepeated) {
      const view = await this.changes.apply('disable', key, { disabledAt: new Date() }, found);
      return { key: view, isDisabledNow: true };
    }
    if (found.report !== undefined && !isRepeated) {
      const subject = { type: 'keys', id };
      await this.audit.recordWhileReadOnly({ action: 'keys.report_leak', subject, after: found });
    }
    return { key: viewKey(key), isDisabledNow: false };
  }

  /** True if the audit log has this report of the key. Nothing is removed from that log. */
  private async hasCounted(subjectId: string, report: string): Promise<boolean> {
    for (const action of ['keys.disable', 'keys.report_leak']) {
      const events = await this.audit.list(
        { subjectType: 'keys', subjectId, action },
        { limit: MAX_REPORTS },
      );
      if (events.some(({ after }) => (JSON.parse(after ?? '{}') as LeakDetails).report === report))
        return true;
    }
    return false;
  }

  private async keyOf(token: string): Promise<ApiKey | null> {
    return isWellFormedToken(token) ? this.keys.findByHash(hashToken(token)) : null;
  }
}
