import ts from 'typescript';
import { parse } from '../text/sources.ts';

/** File that lists the features of the service. */
export const FEATURES = 'src/features.ts';

/**
 * Adds the line of a feature to the text of `features.ts`, after the last one; returns the same text if it has the line.
 *
 * @param module the class of its module
 */
export function withFeatureLine(text: string, folder: string, module: string): string {
  const specifier = `./${folder}/${folder}.module`;
  if (exportsFrom(text).includes(specifier)) return text;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const isEnded = text === '' || text.endsWith('\n');
  return `${text}${isEnded ? '' : newline}export { ${module} } from '${specifier}';${newline}`;
}

/** True if the text of `features.ts` has a line for a module in a folder. */
export function hasFeatureLine(text: string, folder: string): boolean {
  return exportsFrom(text).some((specifier) => specifier.startsWith(`./${folder}/`));
}

/** The paths that `features.ts` exports from. */
function exportsFrom(text: string): string[] {
  return parse(FEATURES, text)
    .statements.filter((statement) => ts.isExportDeclaration(statement))
    .flatMap(({ moduleSpecifier }) =>
      moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : [],
    );
}
