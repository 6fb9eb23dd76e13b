import type { KeyView } from './key-view';

/** A key that expires within so many days should have a successor soon. */
export const EXPIRING_DAYS = 30;

/** A key that was never used is given so many days since it was made: whoever asked for it may not have got to it yet. */
export const UNUSED_DAYS = 30;

/** A key nobody has used for so many days is one nobody would miss. */
export const IDLE_DAYS = 90;

/** What operators want to know of an active key before it is a problem. */
export type KeyWarningKind = 'expiring' | 'never_used' | 'idle';

/** One thing about one key. The members are stable: scripts read them. */
export interface KeyWarning {
  readonly kind: KeyWarningKind;
  /** Days: from today to the date it expires on, in UTC; or whole ones since it was made, or since it was last used. */
  readonly days: number;
  readonly key: KeyView;
}

/** A key with all there is to say about it. */
export interface KeyToLookAt {
  readonly key: KeyView;
  readonly warnings: readonly KeyWarning[];
}
