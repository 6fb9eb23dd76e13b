import type { ApiKey } from './api-key.entity';
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
  };
}

/** What becomes of a request with the key; an end that is for good before one that is not. */
export function statusOf({ revokedAt, expiresAt, disabledAt }: ApiKey, now: Date): KeyStatus {
  if (revokedAt) return 'revoked';
  if (expiresAt && expiresAt <= now) return 'expired';
  return disabledAt ? 'disabled' : 'active';
}
