import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import type ts from 'typescript';
import { Refusal } from '../refusal.ts';
import { refuseWhatDoesNotCompile } from './compile-check.ts';
import { FEATURES, withFeatureLine } from './feature-list.ts';
import { readFields } from './fields.ts';
import { formatted } from './format.ts';
import { MIGRATIONS, migrationTime } from './migration-time.ts';
import { readFeatureName } from './names.ts';
import { readOperations } from './operations.ts';
import { type LinkedField, linkFields } from './references.ts';
import { parse, pathsBelow, readSources } from './sources.ts';
import { refuseEnumsNamedAsParts, refuseLongSqlNames, refuseTakenNames } from './taken.ts';
import { type FeatureModel, renderTemplates } from './templates.ts';

/** What is asked for; see `schema.json`. */
export interface FeatureOptions {
  readonly name: string;
  readonly path?: string;
  readonly words?: readonly string[];
  readonly operations?: string;
}

/** What has to be written. */
export interface FeaturePlan {
  /** The feature's folder in `src`. */
  readonly folder: string;
  /** Texts by path, new files and changed ones; empty when all is there. */
  readonly changes: ReadonlyMap<string, string>;
}

/**
 * Decides what a feature needs in the project in the working directory.
 *
 * @throws Refusal
 */
export async function planFeature(
  options: FeatureOptions,
  tree: Tree,
  context: SchematicContext,
): Promise<FeaturePlan> {
  const root = process.cwd();
  if (!tree.exists(FEATURES)) {
    throw new Refusal(`There is no ${FEATURES} here: run this in the folder of the project.`);
  }
  const sources = readSources(tree);
  const model = readModel(options, tree, sources);
  const folder = model.plural.kebab;
  const files = new Map<string, string>();
  for (const [path, text] of await renderTemplates(model, context)) {
    files.set(path, await formatted(root, path, text));
  }
  const isThere = pathsBelow(tree, `src/${folder}`).length > 0;
  if (isThere) refuseDifferences(files, tree, folder);
  else refuseClashes(files, model.fields, sources);

  const list = tree.readText(FEATURES);
  const listed = withFeatureLine(list, folder, `${model.plural.pascal}Module`);
  const changes = new Map(isThere ? [] : files);
  if (listed !== list) changes.set(FEATURES, listed);
  if (changes.size > 0) refuseWhatDoesNotCompile(root, new Map([...changes, [FEATURES, listed]]));
  return { folder, changes };
}

function readModel(
  { name, path = '', words = [], operations }: FeatureOptions,
  tree: Tree,
  sources: readonly ts.SourceFile[],
): FeatureModel {
  const names = readFeatureName(name);
  const fields = readFields([path, ...words].join(' '), names);
  return {
    ...names,
    operations: readOperations(operations),
    fields: linkFields(fields, names, sources),
    time: migrationTime(pathsBelow(tree, MIGRATIONS), names.plural.kebab, Date.now()),
  };
}

function refuseDifferences(files: ReadonlyMap<string, string>, tree: Tree, folder: string): void {
  for (const [path, text] of files) {
    if (!tree.exists(path) || tree.readText(path) !== text) {
      throw new Refusal(
        `The folder src/${folder} is there already, and ${path} is not what these options would make it.`,
      );
    }
  }
}

function refuseClashes(
  files: ReadonlyMap<string, string>,
  fields: readonly LinkedField[],
  sources: readonly ts.SourceFile[],
): void {
  const parsed = [...files].map(([path, text]) => parse(path, text));
  refuseLongSqlNames(parsed);
  refuseEnumsNamedAsParts(parsed, fields);
  refuseTakenNames(parsed, sources);
}
