import type { Type } from '@nestjs/common';

const features: Type[] = [];

/**
 * Makes a Nest module a feature of the service. Importing its file is all that has to be done: `app.module.ts` has one such
 * import a feature, and no list to edit besides.
 */
export function Feature(): ClassDecorator {
  return (module) => void features.push(module as unknown as Type);
}

/** The features whose files have been imported, in that order. */
export function importedFeatures(): readonly Type[] {
  return features;
}
