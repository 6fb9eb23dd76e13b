import { posix } from 'node:path';
import ts from 'typescript';
import { parse } from './sources.ts';

/** The package of pets, which a service may list. */
export const PETS_PACKAGE = '@petstore/platform/pets';

/** The packages that every feature imports instead of folders of the service. */
const PACKAGES: readonly (readonly [folder: string, name: string])[] = [
  ['src/platform/', '@petstore/platform'],
  ['src/pets/', PETS_PACKAGE],
  ['test/support/', '@petstore/platform/testing'],
];

/** Files that other modules may import: the same as between features of the service, and the migrations. */
const FACE = /\.(module|service|errors|events)\.ts$|\/dto\/|^src\/migrations\//;

/**
 * Imports of a file of this service as those of a feature: by the names of packages, as in any other repository, each in one import
 * together with those that are there.
 */
export function withPackages(path: string, text: string): string {
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

/** An import of names, each with `type` before it where it is one. */
export function importLine(elements: readonly string[], from: string): string {
  const areTypes = elements.every((element) => element.startsWith('type '));
  const names = areTypes ? elements.map(withoutType) : [...elements];
  names.sort((a, b) => withoutType(a).localeCompare(withoutType(b), 'en'));
  return `import ${areTypes ? 'type ' : ''}{ ${names.join(', ')} } from '${from}';\n`;
}

function withoutType(element: string): string {
  return element.replace(/^type /, '');
}

function packageOf(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return PACKAGES.find(([, name]) => name === specifier)?.[1];
  const target = posix.join(posix.dirname(path), specifier);
  return PACKAGES.find(([folder]) => target.startsWith(folder) && !path.startsWith(folder))?.[1];
}

/** The classes and constants that a file exports. */
export function exportedNames(path: string, text: string): string[] {
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

/** Lines of `src/index.ts` for what other modules may use of these files. */
export function exportLines(files: ReadonlyMap<string, string>): string[] {
  return [...files]
    .flatMap(([path, text]) => {
      const names = FACE.test(path) && !path.endsWith('.spec.ts') ? exportedNames(path, text) : [];
      const specifier = `./${posix.relative('src', path).replace(/\.ts$/, '')}`;
      return names.length > 0 ? [`export { ${names.join(', ')} } from '${specifier}';\n`] : [];
    })
    .sort();
}
