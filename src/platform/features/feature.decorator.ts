import { SetMetadata } from '@nestjs/common';
import type { SettingsDeclaration } from '../config/setting';
import type { CommandGroup } from '../cli/cli';
import type { AdminRecords } from './admin-records';

/** Offers of a feature besides those that its `@Module()` declares. */
export interface FeatureOptions {
  /** Subject of the operations, for the document: stands beside the name that `@ApiTags()` gives them. */
  readonly description?: string;
  /** Records for operators to work with in the admin tooling. */
  readonly admin?: AdminRecords;
  /** Entities of a feature that comes in a package; those of this project are found by their file names. */
  readonly entities?: readonly Function[];
  /** Migrations of such a feature, all that ever were. */
  readonly migrations?: readonly Function[];
  /** Settings of the feature, which `@InjectSettings()` gives to its classes. */
  readonly settings?: SettingsDeclaration;
  /** Commands besides those that operators have for the records. */
  readonly commands?: readonly CommandGroup[];
}

const FEATURE_METADATA = 'petstore:feature';

/** Declares what a Nest module offers to clients and operators. A module is a feature without it, too. */
export function Feature(options: FeatureOptions): ClassDecorator {
  return SetMetadata(FEATURE_METADATA, options);
}

/** Returns the {@link Feature} options of a module's class; undefined without any. */
export function featureOptions(module: object): FeatureOptions | undefined {
  return Reflect.getMetadata(FEATURE_METADATA, module) as FeatureOptions | undefined;
}
