import type { SchematicContext } from '@angular-devkit/schematics';
import type ts from 'typescript';
import { Refusal } from '../refusal.ts';
import { readFeatureFields } from './owned-fields.ts';
import { formatted } from '../text/format.ts';
import { migrationTime } from '../text/migration-time.ts';
import type { FeatureModel } from './model.ts';
import { type FeatureNames, readFeatureName } from './names.ts';
import { readOperations } from './operations.ts';
import { linkFields, linkOwned } from './references.ts';
import { renderTemplates } from './templates.ts';

/** Member of an entity with the owner of each record. */
const OWNER = 'ownerId';

/** Options of the schematic; see `schema.json`. */
export interface FeatureOptions {
  readonly name: string;
  readonly path?: string;
  readonly words?: readonly string[];
  readonly operations?: string;
  readonly plural?: string;
  /** True to make each record belong to the client that adds it. */
  readonly owned?: boolean;
  /** Module that the collection is below, at each of its records: `pets` of `/pets/{petId}/vaccination-records`. */
  readonly parent?: string;
  /** True to write only the record, for a feature that has none. */
  readonly record?: boolean;
  /** True for a module of a package; unless given, it is what the project says. */
  readonly shipped?: boolean;
}

/** Output of the templates for a feature. */
export interface RenderedFeature {
  /** Folder of the feature. */
  readonly folder: string;
  readonly model: Pick<FeatureModel, keyof FeatureNames | 'fields'>;
  /** Texts by path, as `npm run format` would leave them. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Renders the templates for a feature of the project in the working directory.
 *
 * @param migrations paths of migrations: the feature's own keeps its time, another comes after all of them
 * @throws Refusal
 */
export async function renderFeature(
  options: FeatureOptions,
  sources: readonly ts.SourceFile[],
  migrations: readonly string[],
  context: SchematicContext,
): Promise<RenderedFeature> {
  const model = readModel(options, sources, migrations);
  const files = new Map<string, string>();
  for (const [path, text] of await renderTemplates(model, context)) {
    files.set(path, await formatted(process.cwd(), path, text));
  }
  return { folder: `src/${model.plural.kebab}`, model, files };
}

function readModel(
  {
    name,
    path = '',
    words = [],
    operations,
    plural,
    owned: hasOwners = false,
    shipped: isShipped = false,
  }: FeatureOptions,
  sources: readonly ts.SourceFile[],
  migrations: readonly string[],
): FeatureModel {
  const names = readFeatureName(name, plural);
  const { fields, owned } = readFeatureFields([path, ...words].join(' '), names);
  if (hasOwners && fields.some((field) => field.name === OWNER)) {
    throw new Refusal(`${OWNER} is the owner of each record; choose another name for the field.`);
  }
  return {
    ...names,
    operations: readOperations(operations),
    hasOwners,
    isShipped,
    fields: linkFields(fields, names, sources),
    owned: owned.map((each) => linkOwned(each, sources)),
    time: migrationTime(migrations, names.plural.kebab, Date.now()),
  };
}
