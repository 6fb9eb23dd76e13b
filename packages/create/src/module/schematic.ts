import type { Rule, SchematicContext, Tree } from '@angular-devkit/schematics';
import { FEATURES } from '../feature/feature-list.ts';
import { Refusal } from '../refusal.ts';
import { isRepository } from './repository.ts';
import type { Plan } from './finish.ts';

/**
 * Makes a schematic that changes a module of the project in the working directory. Everything is decided before anything is
 * written, so a refusal leaves nothing behind; changes that are left to be made by hand are warnings.
 */
export function changing<Options>(
  plan: (options: Options, tree: Tree, context: SchematicContext) => Promise<Plan>,
): (options: Options) => Rule {
  return (options) => async (tree, context) => {
    if (!tree.exists(FEATURES) && !isRepository(tree)) {
      throw new Refusal(`There is no ${FEATURES} here: run this in the folder of the project.`);
    }
    const { files, byHand, unchanged } = await plan(options, tree, context);
    for (const [path, text] of files) {
      if (tree.exists(path)) tree.overwrite(path, text);
      else tree.create(path, text);
    }
    for (const { path, place, lines } of byHand) {
      context.logger.warn([`BY HAND ${path}, ${place}:`, ...lines.map((line) => `    ${line}`)].join('\n'));
    }
    if (files.size === 0 && byHand.length === 0) context.logger.info(unchanged);
  };
}
