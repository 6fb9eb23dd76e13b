import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { Refusal } from '../refusal.ts';
import { refuseWhatDoesNotCompile } from '../feature/compile-check.ts';
import { FEATURES, withFeatureLine } from '../feature/feature-list.ts';
import { MIGRATIONS } from '../text/migration-time.ts';
import { recordOf, recordPath, recordText } from '../feature/record.ts';
import type { LinkedField } from '../feature/references.ts';
import type { FeatureOptions } from '../feature/render.ts';
import { parse, pathsBelow, readSourcesWith } from '../text/sources.ts';
import { refuseEnumsNamedAsParts, refuseLongSqlNames, refuseTakenNames } from '../feature/taken.ts';
import { usesOf } from '../feature/uses.ts';
import { entitySources } from '../module/pets.ts';
import { INDEX, indexWith, isRepository } from '../module/repository.ts';
import { formatted } from '../text/format.ts';
import type { FeatureNames } from '../feature/names.ts';
import { renderNew } from './render.ts';

/** Changes that a feature needs. */
export interface FeaturePlan {
  /** The feature's folder in `src`. */
  readonly folder: string;
  /** Texts by path, new files and changed ones; empty if nothing is missing. */
  readonly changes: ReadonlyMap<string, string>;
}

/**
 * Decides the changes for a feature in the project in the working directory.
 *
 * @throws Refusal
 */
export async function planFeature(
  options: FeatureOptions,
  tree: Tree,
  context: SchematicContext,
): Promise<FeaturePlan> {
  const root = process.cwd();
  if (!tree.exists(FEATURES) && !isRepository(tree)) {
    throw new Refusal(`There is no ${FEATURES} here: run this in the folder of the project.`);
  }
  const sources = entitySources(tree);
  const migrations = pathsBelow(tree, MIGRATIONS);
  const { model, folder, files } = await renderNew(options, tree, sources, migrations, context);
  const isThere = pathsBelow(tree, folder).length > 0;
  if (options.record) refuseToRecord(tree, folder);
  else if (isThere) refuseDifferences(files, tree, folder);
  else refuseClashes(files, model.fields, tree);

  const changes = new Map(isThere ? [] : files);
  if (!options.record) {
    const lists = listsWith(tree, files, model);
    for (const [path, text] of lists) changes.set(path, text);
    // Before they are formatted: faults of these files are named by the lines that the developer sees.
    if (changes.size > 0) await refuseWhatDoesNotCompile(root, changes);
    for (const [path, text] of lists) changes.set(path, await formatted(root, path, text));
  }
  if (!tree.exists(recordPath(folder))) {
    changes.set(recordPath(folder), await recordText(root, folder, recordOf(options, { folder, files })));
  }
  return { folder: model.plural.kebab, changes };
}

/**
 * The list of features, or `index.ts` of a package, with another module.
 *
 * @returns the text if it changes, by its path
 */
function listsWith(tree: Tree, files: ReadonlyMap<string, string>, names: FeatureNames): Map<string, string> {
  if (isRepository(tree)) {
    const index = indexWith(tree, files);
    return new Map(index === undefined ? [] : [[INDEX, index]]);
  }
  const list = tree.readText(FEATURES);
  const listed = withFeatureLine(list, names.plural.kebab, `${names.plural.pascal}Module`);
  return new Map(listed === list ? [] : [[FEATURES, listed]]);
}

/** Refuses to write a record if there is one already, or nothing to record. @throws Refusal */
function refuseToRecord(tree: Tree, folder: string): void {
  if (tree.exists(recordPath(folder))) {
    throw new Refusal(`${recordPath(folder)} already exists: npm run generate -- update starts from it.`);
  }
  if (pathsBelow(tree, folder).length === 0)
    throw new Refusal(`The folder ${folder} does not exist, so there is nothing to record.`);
}

function refuseDifferences(files: ReadonlyMap<string, string>, tree: Tree, folder: string): void {
  for (const [path, text] of files) {
    if (!tree.exists(path) || tree.readText(path) !== text) {
      throw new Refusal(
        `The folder ${folder} already exists, and ${path} differs from what these options would generate.`,
      );
    }
  }
}

function refuseClashes(files: ReadonlyMap<string, string>, fields: readonly LinkedField[], tree: Tree): void {
  const parsed = [...files].map(([path, text]) => parse(path, text));
  refuseLongSqlNames(parsed);
  refuseEnumsNamedAsParts(parsed, fields);
  const texts = parsed.flatMap(usesOf).map(({ text }) => text);
  refuseTakenNames(parsed, readSourcesWith(tree, texts));
}
