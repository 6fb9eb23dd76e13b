import type { KeyRules } from './key-rules';

/** Values that a new key is made from. */
export interface NewApiKey extends Partial<KeyRules> {
  readonly name: string;
  readonly owner?: string;
  readonly scopes: readonly string[];
  /** If unset, the key does not expire. */
  readonly expiresAt?: Date;
}
