import type { FeatureNames } from './names.ts';
import type { Operations } from './operations.ts';
import type { LinkedField, LinkedOwned } from './references.ts';

/** Model that the templates render. */
export interface FeatureModel extends FeatureNames {
  readonly fields: readonly LinkedField[];
  /** Arrays of objects; empty unless given. */
  readonly owned?: readonly LinkedOwned[];
  readonly operations: Operations;
  /** True if each record belongs to the client that added it. */
  readonly hasOwners?: boolean;
  /** Time of the migration, in milliseconds since 1970. */
  readonly time: number;
}
