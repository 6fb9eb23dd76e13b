import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import type ts from 'typescript';
import { renderChild } from '../child/render.ts';
import { type FeatureOptions, type RenderedFeature, renderFeature } from '../feature/render.ts';
import { isRepository } from '../module/repository.ts';

/**
 * Renders the templates for a feature, or for one below another, as files of the project in the working directory.
 *
 * @param sources the entities that fields may refer to
 * @param migrations paths of migrations: the feature's own keeps its time, another comes after all of them
 * @throws Refusal
 */
export async function renderNew(
  options: FeatureOptions,
  tree: Tree,
  sources: readonly ts.SourceFile[],
  migrations: readonly string[],
  context: SchematicContext,
): Promise<RenderedFeature> {
  const { parent, shipped = isRepository(tree) } = options;
  const own = { ...options, shipped };
  if (parent !== undefined) return renderChild({ ...own, parent }, tree, sources, migrations, context);
  return renderFeature(own, sources, migrations, context);
}
