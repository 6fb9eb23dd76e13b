import { posix } from 'node:path';
import type { Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import { FEATURES } from '../feature/feature-list.ts';
import { parse } from '../text/sources.ts';

/** Public interface of a package with modules, which also lists them. */
export const INDEX = 'src/index.ts';

/** Files that other modules may import: the same as between features of the service, and the migrations. */
const FACE = /\.(module|service|errors|events)\.ts$|\/dto\/|^src\/migrations\//;

/** True in the repository of a package with modules; false in that of a service. */
export function isRepository(tree: Tree): boolean {
  return !tree.exists(FEATURES) && tree.exists(INDEX) && tree.exists('tsconfig.build.json');
}

/**
 * Adds to `index.ts` what others may use of the new ones of these files.
 *
 * @returns the text; undefined if it has everything, or the project is a service
 */
export function indexWith(tree: Tree, files: ReadonlyMap<string, string>): string | undefined {
  if (!isRepository(tree)) return undefined;
  const index = tree.readText(INDEX);
  const created = new Map([...files].filter(([path]) => !tree.exists(path)));
  const lines = exportLines(created).filter((line) => !index.includes(line));
  return lines.length > 0 ? index + lines.join('') : undefined;
}

/** Lines of `index.ts` for what others may use of these files. */
export function exportLines(files: ReadonlyMap<string, string>): string[] {
  return [...files]
    .flatMap(([path, text]) => {
      const names = FACE.test(path) && !path.endsWith('.spec.ts') ? exportedNames(path, text) : [];
      const specifier = `./${posix.relative('src', path).replace(/\.ts$/, '')}`;
      return names.length > 0 ? [`export { ${names.join(', ')} } from '${specifier}';\n`] : [];
    })
    .sort();
}

/** The classes and constants that a file exports. */
function exportedNames(path: string, text: string): string[] {
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
