import ts from 'typescript';
import { nodesOf } from '@petstore/create/sources';
import { isProduction } from './import-rules';
import { type SourceFile, violation } from './source-files';

/** One row of the ledger: what of another package the service relies on. */
export interface LedgerEntry {
  /** The text by which the use is found in the code. */
  readonly sign: string;
  readonly files: readonly string[];
  /** The specs, or the script, that fail when the other package changes. */
  readonly guards: readonly string[];
}

const COLUMNS = 4;

/** Reads the rows of the tables of the ledger: what, files, why, guards. */
export function readLedger(markdown: string): LedgerEntry[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => {
      if (cells.length !== COLUMNS) throw new Error(`A row of the ledger has ${COLUMNS} cells: ${cells[0]}`);
      const [signs, files, , guards] = cells.map(codeSpans) as [string[], string[], string[], string[]];
      return { sign: signs[0] as string, files, guards };
    });
}

function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
}

/**
 * Where the ledger differs from the code of the service and from what runs the tests: a file that has the sign of a row and is not named
 * there, or the reverse. Tests are looked at where a row names them: what guards a row may have its sign.
 */
export function differencesFromLedger(
  files: readonly SourceFile[],
  ledger: readonly LedgerEntry[],
): string[] {
  const isOwn = (file: SourceFile) => isProduction(file) || file.path.endsWith('.cjs');
  return ledger.flatMap((entry) => {
    const own = files.filter((file) => isOwn(file) || entry.files.includes(file.path));
    const found = own.filter(({ text }) => text.includes(entry.sign)).map(({ path }) => path);
    return [
      ...found
        .filter((path) => !entry.files.includes(path))
        .map((path) => `${path} has ${entry.sign}: name the file in that row of the ledger.`),
      ...entry.files
        .filter((path) => !found.includes(path))
        .map((path) => `${path} no longer has ${entry.sign}: take it out of the ledger.`),
    ];
  });
}

/** Entrances of packages that their documentation names, although they look like a path to a file within. */
const DOCUMENTED_ENTRANCES: ReadonlySet<string> = new Set([
  '@modelcontextprotocol/client/stdio',
  '@modelcontextprotocol/server/stdio',
  '@petstore/create/names',
  '@petstore/create/sources',
  'ajv/dist/2019',
  'csv-parse/sync',
  'csv-stringify/sync',
]);

/**
 * Uses of the insides of other packages, as far as their form gives them away, in TypeScript files that no row names. A type that a test
 * forces on a value is not taken for one: mostly the value is the service's own.
 */
export function insidesOutsideLedger(files: readonly SourceFile[], ledger: readonly LedgerEntry[]): string[] {
  const listed = new Set(ledger.flatMap((entry) => entry.files));
  return files
    .filter((file) => file.path.endsWith('.ts') && !listed.has(file.path))
    .flatMap((file) => [...deepImports(file), ...suspectNodes(file)]);
}

function deepImports(file: SourceFile): string[] {
  return file.imports
    .filter(({ target, isPackage }) => isPackage && isDeep(target))
    .map(({ target, line }) => violation(file, line, `imports ${target}: put it into the ledger.`));
}

function isDeep(specifier: string): boolean {
  const parts = specifier.split('/');
  const entrance = specifier.startsWith('@') ? 2 : 1;
  return !specifier.startsWith('node:') && parts.length > entrance && !DOCUMENTED_ENTRANCES.has(specifier);
}

function suspectNodes(file: SourceFile): string[] {
  return nodesOf(file.tree).flatMap((node) => {
    if (ts.isAsExpression(node) && !isProduction(file)) return [];
    const what = suspicionOf(node);
    return what === undefined ? [] : [violation(file, node, `${what}: put it into the ledger.`)];
  });
}

function suspicionOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const { name, expression } = node;
    if (name.text.startsWith('_')) return `reads ${name.text}, a private member`;
    const isBorrowed = ts.isPropertyAccessExpression(expression) && expression.name.text === 'prototype';
    return isBorrowed ? `uses ${expression.getText()}.${name.text}` : undefined;
  }
  if (ts.isBindingElement(node) && node.propertyName?.getText().startsWith('_')) {
    return `reads ${node.propertyName.getText()}, a private member`;
  }
  if (ts.isAsExpression(node) && ts.isTypeLiteralNode(node.type)) {
    const isForced = ts.isAsExpression(node.expression) && node.expression.type.kind === UNKNOWN;
    return isForced ? 'gives a value a type that its package hides' : undefined;
  }
  if (ts.isStringLiteral(node) && /^(swagger\/|design:)/.test(node.text)) return `reads ${node.text}`;
  if (ts.isCallExpression(node) && node.expression.getText() === 'require.resolve') {
    return 'reads a file of a package';
  }
  return undefined;
}

const UNKNOWN = ts.SyntaxKind.UnknownKeyword;
