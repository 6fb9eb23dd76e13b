import type { Rule } from '@angular-devkit/schematics';
import { planFeature } from './plan.ts';
import type { FeatureOptions } from '../feature/render.ts';

/**
 * Adds a feature to the project in the working directory: its folder, its migration and its line in `features.ts`. Everything
 * is decided before anything is written, so a refusal leaves nothing behind.
 */
export function feature(options: FeatureOptions): Rule {
  return async (tree, context) => {
    const { folder, changes } = await planFeature(options, tree, context);
    for (const [path, text] of changes) {
      if (tree.exists(path)) tree.overwrite(path, text);
      else tree.create(path, text);
    }
    if (changes.size === 0) context.logger.info(`The feature ${folder} already exists: nothing was changed.`);
  };
}
