import { Injectable } from '@nestjs/common';
import { AuditLog } from '../platform/audit/audit-log';
import { Database } from '../platform/database/database';
import type { ApiKey } from './api-key.entity';
import { ApiKeyNotFoundError, ApiKeyRefusedError, LastManagingKeyError } from './api-keys.errors';
import { ApiKeysRepository, type KeyChange } from './api-keys.repository';
import { MANAGING_SCOPES } from './auth.scopes';
import type { KeyView } from './dto/key-view';
import { KeyCache } from './key-cache';
import { statusOf, viewKey } from './view-key';

/** Confirmations of the operator. */
export interface Confirmed {
  /** True if the key may be the last active one that can manage keys. */
  readonly evenLast?: boolean;
}

/** Members of a key that identify a person. */
const PERSONAL = ['owner'];

/** Changes that end the use of a key: they are made in read-only mode, too. */
const ENDS: readonly string[] = ['disable', 'revoke'];

/**
 * Changes keys in the transaction in progress and records that in the audit log; this node applies the change at the commit.
 */
@Injectable()
export class KeyChanges {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly database: Database,
    private readonly cache: KeyCache,
    private readonly audit: AuditLog,
  ) {}

  /** A key that no other transaction can change until this one ends. @throws ApiKeyNotFoundError */
  async findLocked(id: string): Promise<ApiKey> {
    const key = await this.keys.findLocked(id);
    if (!key) throw new ApiKeyNotFoundError(id);
    return key;
  }

  /**
   * {@link findLocked} for a key that works, or can again. @throws ApiKeyNotFoundError, or ApiKeyRefusedError when it has ended
   * for good
   */
  async findAlive(id: string): Promise<ApiKey> {
    const key = await this.findLocked(id);
    const status = statusOf(key, new Date());
    if (status === 'revoked') {
      throw new ApiKeyRefusedError(`The API key ${id} is revoked; create a new one instead.`);
    }
    if (status === 'expired') {
      throw new ApiKeyRefusedError(`The API key ${id} has expired; create a new one instead.`);
    }
    return key;
  }

  /**
   * Locks the keys that may manage keys. Otherwise two transactions that each end one would both see the other key, and none
   * would be left.
   *
   * @throws LastManagingKeyError when there is no other, unless that is confirmed
   */
  async assertNotLast(id: string, { evenLast = false }: Confirmed): Promise<void> {
    if (evenLast) return;
    const ids = await this.keys.idsOfActive(MANAGING_SCOPES, true);
    if (ids.length === 1 && ids[0] === id) throw new LastManagingKeyError(id);
  }

  /** Stores a new key and records it. */
  async add(key: ApiKey): Promise<KeyView> {
    await this.keys.insert(key);
    const after = viewKey(key);
    await this.audit.record({
      action: 'keys.create',
      subject: { type: 'keys', id: key.id },
      after,
      personal: PERSONAL,
    });
    // The given token may have been refused, and cached as such, before it was stored.
    return this.view(key);
  }

  /**
   * Changes a locked key and records it.
   *
   * @param reason details for the audit log besides the key as it is now
   */
  async apply(verb: string, key: ApiKey, change: KeyChange, reason?: object): Promise<KeyView> {
    const { id } = key;
    const changed: ApiKey = Object.assign({}, key, change);
    await this.keys.update(id, change);
    const [before, after] = [viewKey(key), { ...viewKey(changed), ...reason }];
    const event = {
      action: `keys.${verb}`,
      subject: { type: 'keys', id },
      before,
      after,
      personal: PERSONAL,
    };
    // A leaked key must be stopped at any time.
    if (ENDS.includes(verb)) await this.audit.recordWhileReadOnly(event);
    else await this.audit.record(event);
    return this.view(changed);
  }

  /** The view of a changed key; this node looks the key up anew at its next use. */
  view(key: ApiKey): KeyView {
    // Not before the commit: a request meanwhile would cache the key as it was.
    this.database.afterCommit(() => this.cache.forget(key.tokenHash));
    return viewKey(key);
  }
}
