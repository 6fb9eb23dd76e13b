import type { KeyView } from './key-view';

/** What operators want to know of an active key before it is a problem. */
export type KeyWarningKind = 'expiring' | 'never_used' | 'idle';

/** One thing about one key. The members are stable: scripts read them. */
export interface KeyWarning {
  readonly kind: KeyWarningKind;
  /** Whole days: until it expires, since it was made, or since it was last used. */
  readonly days: number;
  readonly key: KeyView;
}
