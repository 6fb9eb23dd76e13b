import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Tree } from '@angular-devkit/schematics';
import type ts from 'typescript';
import { FEATURES } from '../feature/feature-list.ts';
import type { FeatureNames } from '../feature/names.ts';
import type { RenderedFeature } from '../feature/render.ts';
import type { LinkedField } from '../feature/references.ts';
import { Refusal } from '../refusal.ts';
import { formatted } from '../text/format.ts';
import { exportedNames, importLine, PETS_PACKAGE, withPackages } from '../text/packages.ts';
import { parse, readSourcesWith } from '../text/sources.ts';
import { spell } from '../text/spelling.ts';
import { isRepository } from './repository.ts';

const MIGRATIONS = 'src/migrations/';

/** The entity of pets, to which modules in other repositories may refer. */
const PET = 'src/pets/pet.entity.ts';

/** Its source: beside this file in the package of the generator, otherwise in this repository. */
const PET_SOURCE = [
  join(import.meta.dirname, 'pet.entity.txt'),
  join(import.meta.dirname, '..', '..', '..', '..', PET),
];

/** The sources of the entities that fields may refer to. */
export function entitySources(tree: Tree): ts.SourceFile[] {
  const own = readSourcesWith(tree, ['@Entity(']);
  if (!isRepository(tree) && !tree.readText(FEATURES).includes(PETS_PACKAGE)) return own;
  return [...own, parse(PET, readFileSync(PET_SOURCE.find((path) => existsSync(path)) as string, 'utf8'))];
}

/** The files of a rendered feature, for the project that the tree is of. */
export async function filesFor(
  tree: Tree,
  { files, model }: Pick<RenderedFeature, 'files' | 'model'>,
): Promise<ReadonlyMap<string, string>> {
  if (!isRepository(tree)) return inService(files);
  const fields = [...model.fields, ...(model.owned ?? []).flatMap((each) => each.fields)];
  return asOwnModule(process.cwd(), files, model, referencedFolders(fields));
}

/** The files of a generated feature as those of the service: its sources import the packages that they import anywhere. */
export async function inService(files: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const own = new Map<string, string>();
  for (const [path, text] of files) {
    const isSource = path.endsWith('.ts') && path.startsWith('src/');
    own.set(path, isSource ? await formatted(process.cwd(), path, withPackages(path, text)) : text);
  }
  return own;
}

/**
 * The files of a generated feature as those of a repository: they import the packages instead of the folders of the service,
 * name its entities and migrations in `@Feature()`, and start its module in the tests.
 *
 * @param others folders of the modules that it refers to
 * @throws Refusal when a part is missing
 */
export async function asOwnModule(
  root: string,
  generated: ReadonlyMap<string, string>,
  names: FeatureNames,
  others: readonly string[],
): Promise<Map<string, string>> {
  const { plural } = names;
  const folder = `src/${plural.kebab}`;
  const files = new Map<string, string>();
  for (const [path, text] of generated) {
    const isOwn = path.startsWith(MIGRATIONS) || path.startsWith(`${folder}/`);
    if (isOwn) files.set(path, path.endsWith('.ts') ? withPackages(path, text) : text);
  }
  change(files, `${folder}/${plural.kebab}.module.ts`, (text, path) => withSchema(text, path, files));
  const modules = [...new Set([...others.filter((other) => other !== 'pets'), plural.kebab])];
  change(files, `${folder}/${plural.kebab}.spec.ts`, (text) => startedWith(text, modules, names));
  for (const [path, text] of files) files.set(path, await formatted(root, path, text));
  return files;
}

function change(files: Map<string, string>, path: string, by: (text: string, path: string) => string): void {
  const text = files.get(path);
  if (text === undefined) throw new Refusal(`The generator did not write ${path}.`);
  files.set(path, by(text, path));
}

/** Makes a module declare its own entities and migrations. */
function withSchema(text: string, path: string, files: ReadonlyMap<string, string>): string {
  const listOf = (pattern: RegExp) => {
    const found = [...files].filter(([file]) => pattern.test(file));
    return found.flatMap(([file, other]) => exportedNames(file, other).map((name) => ({ name, file })));
  };
  const entities = listOf(/\.entity\.ts$/);
  const migrations = listOf(/^src\/migrations\//);
  const imports = [...entities, ...migrations].map(({ name, file }) => {
    const specifier = posix.relative(posix.dirname(path), file).replace(/\.ts$/, '');
    return importLine([name], specifier.startsWith('.') ? specifier : `./${specifier}`);
  });
  const options = /@Feature\(\{(?<options>[^}]*?),?\s*\}\)/;
  if (!options.test(text)) throw new Refusal(`The generator did not write @Feature() into ${path}.`);
  const named = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(', ');
  return text
    .replace(
      options,
      `@Feature({$<options>, entities: [${named(entities)}], migrations: [${named(migrations)}] })`,
    )
    .replace(/\n\n/, `\n${imports.join('')}\n`);
}

/** A spec that starts the service with the modules of these folders. */
function startedWith(text: string, folders: readonly string[], { plural }: FeatureNames): string {
  const classes = folders.map((folder) => `${spell(folder.split('-')).pascal}Module`);
  const started = text.replace(
    'startTestService(engine)',
    `startTestService(engine, { ${classes.join(', ')} })`,
  );
  if (started === text) throw new Refusal('The generator wrote a spec that does not start a service.');
  const imports = folders.map((folder, index) => {
    const beside = folder === plural.kebab ? '.' : `../${folder}`;
    return `import { ${classes[index]} } from '${beside}/${folder}.module';\n`;
  });
  return started.replace(/\n\n/, `\n${imports.join('')}\n`);
}

/** The folders of the modules to which fields refer. */
export function referencedFolders(fields: readonly LinkedField[]): string[] {
  return fields.flatMap(({ reference }) => (reference && !reference.isOwn ? [reference.folder] : []));
}
