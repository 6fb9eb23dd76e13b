import type { KeyStatus } from './key-view';
import type { KeyWarningKind } from './key-warning';

/** Conditions on keys; an unset member is no condition. */
export interface KeyFilter {
  /** Part of a name, an owner, an id, a hint or a scope, in any letter case. */
  readonly text?: string | undefined;
  /** `current` means keys that work or could be made to work, `all` all of them. */
  readonly status?: KeyStatus | 'current' | 'all' | undefined;
  /** Warnings about the key, of which it has one. */
  readonly warning?: { readonly in: readonly KeyWarningKind[] } | undefined;
}

/**
 * Orders of a list of keys. A key that was never used comes before all used ones; a key without an end comes after all ends.
 */
export const KEY_ORDERS = ['name', 'owner', 'created', 'expires', 'used'] as const;

/** One page of a search. */
export interface KeyWindow {
  readonly by: (typeof KEY_ORDERS)[number];
  readonly descending: boolean;
  /** The id of the last key of the page before; unset for the first page. */
  readonly after?: string | undefined;
  /** All keys unless set. */
  readonly limit?: number;
}
