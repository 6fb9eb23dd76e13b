import type { ApiKey } from './api-key.entity';

/** An API key as operators see it; what is not set is null. The members are stable: scripts read them. */
export interface KeyView {
  readonly id: string;
  /** The token; only where it was just made. */
  readonly key?: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly owner: string | null;
  readonly hint: string;
  readonly status: 'active' | 'expired' | 'revoked';
  /** The id of the first key of the chain of rotations. */
  readonly lineageId: string;
  /** ISO 8601, UTC, as all times here. */
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

/** @param token when the key was just made */
export function viewKey(key: ApiKey, token?: string): KeyView {
  return {
    id: key.id,
    ...(token !== undefined && { key: token }),
    name: key.name,
    scopes: key.scopes,
    owner: key.owner,
    hint: key.hint,
    status: statusOf(key, new Date()),
    lineageId: key.lineageId,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}

function statusOf({ revokedAt, expiresAt }: ApiKey, now: Date): KeyView['status'] {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
}
