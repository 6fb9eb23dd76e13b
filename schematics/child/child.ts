import type { FeatureNames } from '../feature/names.ts';
import type { ExistingModule } from '../module/existing-module.ts';

/** A collection below each of another module. */
export interface Child {
  readonly names: FeatureNames;
  readonly parent: ExistingModule;
  /** `PetVaccinationRecordDto`: what operators add, which says what it is of. */
  readonly creation: { readonly name: string; readonly file: string };
}
