import ts from 'typescript';
import { Refusal } from '../refusal.ts';
import { inOneLine } from './fault.ts';
import { parse } from './sources.ts';

/** Where the features of the service are listed. */
export const APP_MODULE = 'src/app.module.ts';

const FEATURE_IMPORT = /^\.\/[^/]+\/[^/]+\.module$/;

/**
 * The text of `app.module.ts` with the import of a feature after those that are there; the same text if it is one of them.
 *
 * @throws Refusal
 */
export function withFeatureImport(text: string, folder: string): string {
  refuseSyntaxErrors(text);
  const imports = parse(APP_MODULE, text).statements.filter((statement) => isFeatureImport(statement));
  const module = `./${folder}/${folder}.module`;
  if (imports.some(({ moduleSpecifier }) => textOf(moduleSpecifier) === module)) return text;
  const last = imports.at(-1);
  if (!last) {
    throw new Refusal(
      `${APP_MODULE} imports no feature as the others are, by a line such as import './pets/pets.module';, so there is no place for another.`,
    );
  }
  const [restOfLine = ''] = /^.*/.exec(text.slice(last.end)) ?? [];
  const at = last.end + restOfLine.length;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  return `${text.slice(0, at)}${newline}import '${module}';${text.slice(at)}`;
}

/** A feature is imported for what its file does, not for a name. */
function isFeatureImport(statement: ts.Statement): statement is ts.ImportDeclaration {
  return (
    ts.isImportDeclaration(statement) &&
    !statement.importClause &&
    FEATURE_IMPORT.test(textOf(statement.moduleSpecifier))
  );
}

function textOf(specifier: ts.Expression): string {
  return ts.isStringLiteral(specifier) ? specifier.text : '';
}

function refuseSyntaxErrors(text: string): void {
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true, fileName: APP_MODULE });
  const [fault] = diagnostics;
  if (fault) throw new Refusal(`The features cannot be listed: ${inOneLine(fault, APP_MODULE)}.`);
}
