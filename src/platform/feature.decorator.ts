import type { Type } from '@nestjs/common';
import type { AdminRecords } from './admin/admin-records';

/** What a feature offers besides what its Nest module declares. */
export interface FeatureOptions {
  /** Records the admin tooling shows; none unless set. */
  readonly admin?: AdminRecords;
}

const features: Type[] = [];
const administered: AdminRecords[] = [];

/**
 * Makes a Nest module a feature of the service. Importing its file is all that has to be done: `app.module.ts` has one such
 * import a feature, and no list to edit besides.
 */
export function Feature({ admin }: FeatureOptions = {}): ClassDecorator {
  return (module) => {
    features.push(module as unknown as Type);
    if (admin) administered.push(admin);
  };
}

/** The features whose files have been imported, in that order. */
export function importedFeatures(): readonly Type[] {
  return features;
}

/** What the imported features let operators work with, in that order. */
export function importedRecords(): readonly AdminRecords[] {
  return administered;
}
