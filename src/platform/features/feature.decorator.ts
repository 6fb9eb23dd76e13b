import { SetMetadata } from '@nestjs/common';
import type { AdminRecords } from './admin-records';

/** What a feature offers besides what its `@Module()` declares. */
export interface FeatureOptions {
  /** What its operations are about, for the document: it stands beside the name that `@ApiTags()` gives them. */
  readonly description?: string;
  /** Records for operators to work with in the admin tooling. */
  readonly admin?: AdminRecords;
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
