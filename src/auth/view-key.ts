import type { ApiKey } from './api-key.entity';
import type { KeyRules } from './dto/key-rules';
import type { KeyStatus, KeyView } from './dto/key-view';

/** A key as operators see it. */
export function viewKey(key: ApiKey): KeyView {
  return {
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    owner: key.owner,
    hint: key.hint,
    status: statusOf(key, new Date()),
    lineageId: key.lineageId,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    disabledAt: key.disabledAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    ...rulesOf(key),
    disablesAt: key.disablesAt?.toISOString() ?? null,
  };
}

/**
 * The keys that have replaced others by rotation, by the ids of the replaced ones.
 *
 * @param keys whole chains of rotations, each oldest first
 */
export function successorsIn(keys: readonly KeyView[]): ReadonlyMap<string, KeyView> {
  const newest = new Map<string, KeyView>();
  const found = new Map<string, KeyView>();
  for (const key of keys) {
    const replaced = newest.get(key.lineageId);
    if (replaced) found.set(replaced.id, key);
    newest.set(key.lineageId, key);
  }
  return found;
}

/** Networks and limits of a key. */
export function rulesOf({ networks, limitPerMinute, quotaPerMonth }: ApiKey): KeyRules {
  return { networks: networks ?? [], limitPerMinute, quotaPerMonth };
}

/** Rules as they are stored in the columns of a key. */
export function storedRules({ networks, limitPerMinute, quotaPerMonth }: KeyRules) {
  return { networks: networks.length > 0 ? [...networks] : null, limitPerMinute, quotaPerMonth };
}

/** Status of a key. An end that is for good takes precedence over one that is not. */
export function statusOf({ revokedAt, expiresAt, disabledAt }: ApiKey, now: Date): KeyStatus {
  if (revokedAt) return 'revoked';
  if (expiresAt && expiresAt <= now) return 'expired';
  return disabledAt ? 'disabled' : 'active';
}
