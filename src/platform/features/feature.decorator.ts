import { SetMetadata } from '@nestjs/common';
import type { CommandGroup } from '../cli/cli';
import type { AdminRecords } from './admin-records';

/** What a feature offers besides what its `@Module()` declares. */
export interface FeatureOptions {
  /** What its operations are about, for the document: it stands beside the name that `@ApiTags()` gives them. */
  readonly description?: string;
  /** Records for operators to work with in the admin tooling. */
  readonly admin?: AdminRecords;
  /** Its entities, when they come with a package; those of this project are found by their file names. */
  readonly entities?: readonly Function[];
  /** Its migrations likewise, all that ever were. */
  readonly migrations?: readonly Function[];
  /** Its commands besides those that operators have for its records. */
  readonly commands?: readonly CommandGroup[];
}

const FEATURE_METADATA = 'petstore:feature';

/** Says what a Nest module offers to clients and operators. A module is a feature without it, too. */
export function Feature(options: FeatureOptions): ClassDecorator {
  return SetMetadata(FEATURE_METADATA, options);
}

/** What the class of a module offers; undefined when it has no {@link Feature}. */
export function featureOptions(module: object): FeatureOptions | undefined {
  return Reflect.getMetadata(FEATURE_METADATA, module) as FeatureOptions | undefined;
}
