import type { FeatureNames } from '../feature/names.ts';
import type { ExistingModule } from '../module/existing-module.ts';

/** A collection below each item of another module. */
export interface Child {
  readonly names: FeatureNames;
  readonly parent: ExistingModule;
  /** `PetVaccinationRecordDto`: the body that operators add, which names the parent as well. */
  readonly creation: { readonly name: string; readonly file: string };
}
