import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { nodesOf } from '@petstore/create/sources';

/** One `import` or `export … from`, `require()` or `import()` of a file. */
export interface Import {
  /** A file of the tree, without its extension, or the name of a package. */
  readonly target: string;
  readonly isPackage: boolean;
  /** Gone after compilation: nothing is loaded. */
  readonly isTypeOnly: boolean;
  /** `import()`, or `require()` in a function: loaded when that line runs, and not with the file. */
  readonly isDeferred: boolean;
  /** Names imported; `*` for everything. */
  readonly names: readonly string[];
  readonly line: number;
}

/** A source file as the rules see it; `path` is relative to the root, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
}

/** Files of the service that are imported by the name of a package, as modules in other repositories import them. */
const PLATFORM: ReadonlyMap<string, string> = new Map([
  ['@petstore/platform', 'src/platform/exports'],
  ['@petstore/platform/pets', 'src/exports/pets'],
  ['@petstore/platform/service', 'src/serve'],
  ['@petstore/platform/commands', 'src/run-commands'],
  ['@petstore/platform/testing', 'test/support/service/testing'],
]);

const SOURCE = /\.(ts|mts|cts|js|mjs|cjs)$/;

/** The source files in these folders of `root`, sorted by path. */
export function readSourceFiles(root: string, folders: readonly string[]): SourceFile[] {
  const texts = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .filter((path) => SOURCE.test(path) && !path.endsWith('.d.ts'))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
  );
  return parseSourceFiles(Object.fromEntries(texts));
}

/** Source files from texts by path. */
export function parseSourceFiles(texts: Readonly<Record<string, string>>): SourceFile[] {
  return Object.keys(texts)
    .sort()
    .map((path) => {
      const text = texts[path] as string;
      const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      return { path, text, tree, imports: importsOf(path, tree) };
    });
}

/** One sentence about one place: `<path>:<line> <sentence>`. */
export function violation({ path, tree }: SourceFile, at: ts.Node | number, text: string) {
  const line = typeof at === 'number' ? at : lineOf(tree, at);
  return `${path}:${line} ${text}`;
}

function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

function importsOf(path: string, tree: ts.SourceFile): Import[] {
  return nodesOf(tree).flatMap((node) => {
    const found = importOf(node);
    if (!found) return [];
    const { specifier, ...rest } = found;
    const own = specifier.startsWith('.')
      ? posix.join(posix.dirname(path), specifier).replace(SOURCE, '')
      : PLATFORM.get(specifier);
    return [{ ...rest, target: own ?? specifier, isPackage: own === undefined, line: lineOf(tree, node) }];
  });
}

type FoundImport = Pick<Import, 'isTypeOnly' | 'isDeferred' | 'names'> & { readonly specifier: string };

function importOf(node: ts.Node): FoundImport | undefined {
  if (ts.isImportDeclaration(node)) {
    const specifier = (node.moduleSpecifier as ts.StringLiteral).text;
    const clause = node.importClause;
    const bindings = clause?.namedBindings;
    const elements = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
    const areTypes = elements.length > 0 && !clause?.name && elements.every((element) => element.isTypeOnly);
    const names = elements.map(({ propertyName, name }) => (propertyName ?? name).text);
    if (clause?.name) names.push('default');
    if (bindings && ts.isNamespaceImport(bindings)) names.push('*');
    const isTypeOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || areTypes;
    return { specifier, isTypeOnly, isDeferred: false, names };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    const specifier = (node.moduleSpecifier as ts.StringLiteral).text;
    const clause = node.exportClause;
    const names =
      clause && ts.isNamedExports(clause)
        ? clause.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
        : ['*'];
    return { specifier, isTypeOnly: node.isTypeOnly, isDeferred: false, names };
  }
  if (ts.isCallExpression(node)) {
    const [argument] = node.arguments;
    const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const isLoad = isImport || (ts.isIdentifier(node.expression) && node.expression.text === 'require');
    if (isLoad && argument && ts.isStringLiteral(argument)) {
      const isDeferred = isImport || ts.findAncestor(node, ts.isFunctionLike) !== undefined;
      return { specifier: argument.text, isTypeOnly: false, isDeferred, names: ['*'] };
    }
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const { literal } = node.argument;
    if (ts.isStringLiteral(literal)) {
      return { specifier: literal.text, isTypeOnly: true, isDeferred: false, names: ['*'] };
    }
  }
  return undefined;
}
