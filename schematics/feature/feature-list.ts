import ts from 'typescript';
import { parse } from '../text/sources.ts';

/** Where the features of the service are listed. */
export const FEATURES = 'src/features.ts';

/**
 * The text of `features.ts` with the line of a feature after those that are there; the same text if it is one of them.
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

/** Whether the text of `features.ts` has a line of a module in a folder. */
export function hasFeatureLine(text: string, folder: string): boolean {
  return exportsFrom(text).some((specifier) => specifier.startsWith(`./${folder}/`));
}

/** The files that something is exported from. */
function exportsFrom(text: string): string[] {
  return parse(FEATURES, text)
    .statements.filter((statement) => ts.isExportDeclaration(statement))
    .flatMap(({ moduleSpecifier }) =>
      moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : [],
    );
}
