import type { KeyStatus } from './key-view';
import type { KeyWarningKind } from './key-warning';

/** Which keys are meant; what is not set does not matter. */
export interface KeyFilter {
  /** A part of a name, an owner, an id, a hint or a scope, in any letter case. */
  readonly text?: string | undefined;
  /** `current` are those that work or could be made to work. */
  readonly status?: KeyStatus | 'current' | undefined;
  /** Something there is to say about them; `any` for anything. */
  readonly warning?: KeyWarningKind | 'any' | undefined;
}

/** What keys can be ordered by: never used is before every use, and never to expire after every end. */
export const KEY_ORDERS = ['name', 'owner', 'created', 'expires', 'used'] as const;

/** One page of a search. */
export interface KeyWindow {
  readonly by: (typeof KEY_ORDERS)[number];
  readonly descending: boolean;
  /** The id of the last key of the page before; unset for the first page. */
  readonly after?: string | undefined;
  readonly limit: number;
}
