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
  /** True for a collection below each item of another module. */
  readonly isBelow?: boolean;
  /** True for a module of a package, which names its entities and migrations: a service finds them by their place. */
  readonly isShipped?: boolean;
  /** Time of the migration, in milliseconds since 1970. */
  readonly time: number;
}
