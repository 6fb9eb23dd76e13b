import type { KeyView } from './key-view';

/** Days before its end in which a key should get a successor. */
export const EXPIRING_DAYS = 30;

/** Days after which a key that was never used is reported: until then its client may not be in service yet. */
export const UNUSED_DAYS = 30;

/** Days without use after which a key is reported: probably no client would miss it. */
export const IDLE_DAYS = 90;

/** Days of notice before a key is disabled because it is not used. */
export const IDLE_NOTICE_DAYS = 14;

/** Things that operators should know about an active key before they become a problem. */
export type KeyWarningKind = (typeof KEY_WARNINGS)[number];

export const KEY_WARNINGS = ['expiring', 'disabling', 'never_used', 'idle'] as const;

/** One warning about one key. The members are stable: scripts read them. */
export interface KeyWarning {
  readonly kind: KeyWarningKind;
  /** Days: from today to the date on which it expires or is disabled, in UTC; or whole days since it was made or last used. */
  readonly days: number;
  readonly key: KeyView;
}

/** A key with all warnings about it. */
export interface KeyToLookAt {
  readonly key: KeyView;
  readonly warnings: readonly KeyWarning[];
}
