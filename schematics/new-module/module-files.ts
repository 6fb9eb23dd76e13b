import { posix } from 'node:path';
import ts from 'typescript';
import type { FeatureNames } from '../feature/names.ts';
import { recordPath } from '../feature/record.ts';
import { parse } from '../text/sources.ts';
import { Refusal } from '../refusal.ts';

const MIGRATIONS = 'src/migrations/';

/** Packages that replace folders of the service in a repository of its own. */
const PACKAGES: readonly (readonly [folder: string, name: string])[] = [
  ['src/platform/', '@petstore/platform'],
  ['src/pets/', '@petstore/platform/pets'],
  ['test/support/', '@petstore/platform/testing'],
];

/** Files that other modules may import: the same as between features of the service, and the migrations. */
const FACE = /\.(module|service|errors|events)\.ts$|\/dto\/|^src\/migrations\//;

/**
 * The files of a generated feature as those of a repository: they import the packages instead of the folders of the service,
 * name its entities and migrations in `@Feature()`, and have an `index.ts`.
 *
 * @throws Refusal when a part is missing
 */
export function asModule(generated: ReadonlyMap<string, string>, names: FeatureNames): Map<string, string> {
  const folder = `src/${names.plural.kebab}`;
  const files = new Map<string, string>();
  for (const [path, text] of generated) {
    // The record is for updates, which handle only modules of the service.
    if (path === recordPath(folder)) continue;
    if (path.startsWith(MIGRATIONS) || path.startsWith(`${folder}/`)) {
      files.set(path, withPackages(path, text));
    }
  }
  const module = `${names.plural.pascal}Module`;
  change(files, `${folder}/${names.plural.kebab}.module.ts`, (text, path) => withSchema(text, path, files));
  change(files, `${folder}/${names.plural.kebab}.spec.ts`, (text) => startedWith(text, module, names));
  files.set('src/index.ts', indexOf(files));
  files.set('src/every-operation.spec.ts', contractSpecOf(files, names));
  files.set('src/every-migration.spec.ts', migrationSpecOf(names));
  return files;
}

function change(files: Map<string, string>, path: string, by: (text: string, path: string) => string): void {
  const text = files.get(path);
  if (text === undefined) throw new Refusal(`The generator did not write ${path}.`);
  files.set(path, by(text, path));
}

/** Replaces the imports from files of each package by one import of the package. */
function withPackages(path: string, text: string): string {
  const source = parse(path, text);
  const imported = new Map<string, string[]>();
  let rest = text;
  for (const statement of source.statements.filter((one) => ts.isImportDeclaration(one)).reverse()) {
    const name = packageOf(path, (statement.moduleSpecifier as ts.StringLiteral).text);
    const clause = statement.importClause;
    const bindings = clause?.namedBindings;
    if (name === undefined || !bindings || !ts.isNamedImports(bindings)) continue;
    const isType = clause.phaseModifier === ts.SyntaxKind.TypeKeyword;
    const elements = bindings.elements.map((element) => `${isType ? 'type ' : ''}${element.getText()}`);
    imported.set(name, [...elements, ...(imported.get(name) ?? [])]);
    rest = rest.slice(0, statement.getStart()) + rest.slice(statement.end).replace(/^\n/, '');
  }
  const lines = [...imported].map(([name, elements]) => importLine(elements, name));
  return lines.reverse().join('') + rest;
}

function importLine(elements: readonly string[], from: string): string {
  const areTypes = elements.every((element) => element.startsWith('type '));
  const names = areTypes ? elements.map(withoutType) : [...elements];
  names.sort((a, b) => withoutType(a).localeCompare(withoutType(b), 'en'));
  return `import ${areTypes ? 'type ' : ''}{ ${names.join(', ')} } from '${from}';\n`;
}

function withoutType(element: string): string {
  return element.replace(/^type /, '');
}

function packageOf(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join(posix.dirname(path), specifier);
  return PACKAGES.find(([folder]) => target.startsWith(folder))?.[1];
}

/** Makes a module declare its own entities and migrations. */
function withSchema(text: string, path: string, files: ReadonlyMap<string, string>): string {
  const listOf = (pattern: RegExp) => {
    const found = [...files].filter(([file]) => pattern.test(file));
    return found.flatMap(([file, other]) => exportsOf(file, other).map((name) => ({ name, file })));
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

/** A spec that starts the service with this module. */
function startedWith(text: string, module: string, { plural }: FeatureNames): string {
  const started = text.replace('startTestService(engine)', `startTestService(engine, { ${module} })`);
  if (started === text) throw new Refusal('The generator wrote a spec that does not start a service.');
  return started.replace(/\n\n/, `\nimport { ${module} } from './${plural.kebab}.module';\n\n`);
}

/** A spec that checks what the contract promises for every operation. */
function contractSpecOf(files: ReadonlyMap<string, string>, { plural }: FeatureNames): string {
  const module = `${plural.pascal}Module`;
  const beside = `./${plural.kebab}/${plural.kebab}`;
  const hasSamples = files.has(`src/${plural.kebab}/${plural.kebab}.samples.ts`);
  return `import { describeEveryOperation } from '@petstore/platform/testing/contract';
import { ${module} } from '${beside}.module';
${hasSamples ? `import { samples } from '${beside}.samples';\n` : ''}
describeEveryOperation({ ${module} }${hasSamples ? ', [samples]' : ''});
`;
}

/** A spec that checks that migrations keep the rules. */
function migrationSpecOf({ plural }: FeatureNames): string {
  const module = `${plural.pascal}Module`;
  return `import { describeEveryMigration } from '@petstore/platform/testing/contract';
import { ${module} } from './${plural.kebab}/${plural.kebab}.module';

describeEveryMigration({ ${module} });
`;
}

function indexOf(files: ReadonlyMap<string, string>): string {
  const lines = [...files].flatMap(([path, text]) => {
    const names = FACE.test(path) && !path.endsWith('.spec.ts') ? exportsOf(path, text) : [];
    const specifier = `./${posix.relative('src', path).replace(/\.ts$/, '')}`;
    return names.length > 0 ? [`export { ${names.join(', ')} } from '${specifier}';\n`] : [];
  });
  return `// The public interface of this module, for the service and other modules.\n${lines.sort().join('')}`;
}

/** The classes and constants that a file exports. */
function exportsOf(path: string, text: string): string[] {
  return parse(path, text).statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) {
      return statement.name ? [statement.name.text] : [];
    }
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  });
}
