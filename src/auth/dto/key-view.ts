import type { KeyRules } from './key-rules';

/** State of a key; only requests with an active one are accepted. */
export type KeyStatus = 'active' | 'disabled' | 'expired' | 'revoked';

/** An API key as operators see it, without its token; an unset member is null. The members are stable: scripts read them. */
export interface KeyView extends KeyRules {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly owner: string | null;
  /** Part of the token by which people recognise it. */
  readonly hint: string;
  readonly status: KeyStatus;
  /** The id of the first key of the chain of rotations. */
  readonly lineageId: string;
  /** ISO 8601, UTC, as all times here. */
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** Time since which it is disabled. */
  readonly disabledAt: string | null;
  readonly revokedAt: string | null;
  /** To the minute: uses are written about once a minute. */
  readonly lastUsedAt: string | null;
  /** Time at which it will be disabled because it is not used. */
  readonly disablesAt: string | null;
}

/** A key that was just made: the only moment its token can be seen. */
export interface IssuedApiKey {
  readonly key: KeyView;
  readonly token: string;
}

/** Result of a rotation: the new key and its predecessor. */
export interface RotatedApiKey extends IssuedApiKey {
  readonly predecessor: KeyView;
}

/** A key that lacks some of the scopes of this version. */
export interface KeyWithoutScopes {
  readonly id: string;
  readonly missing: readonly string[];
  readonly every: readonly string[];
}
