import type { KeyRules } from './key-rules';

/** What is asked for when a key is made. */
export interface NewApiKey extends Partial<KeyRules> {
  readonly name: string;
  readonly owner?: string;
  readonly scopes: readonly string[];
  /** Unset: it does not expire. */
  readonly expiresAt?: Date;
}
