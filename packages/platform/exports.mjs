/*
 * Run by `npm run artefacts`: writes the declarations that modules may use into `exports.txt`; with `--check` it
 * only compares. A change of the list needs a new `version` in `package.json`: see `src/platform/exports.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const PROJECT = join(import.meta.dirname, '..', '..');
const LIST = join(import.meta.dirname, 'exports.txt');
const SOURCES = {
  '@petstore/platform': 'src/platform/exports.ts',
  '@petstore/platform/pets': 'src/exports/pets.ts',
  '@petstore/platform/service': 'src/serve.ts',
  '@petstore/platform/commands': 'src/run-commands.ts',
  '@petstore/platform/ormconfig': 'src/service-data-source.ts',
  '@petstore/platform/testing': 'test/support/service/testing.ts',
};

const config = ts.getParsedCommandLineOfConfigFile(
  join(import.meta.dirname, 'tsconfig.json'),
  {},
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
);
const program = ts.createProgram(
  Object.values(SOURCES).map((path) => join(PROJECT, path)),
  { ...config?.options, emitDeclarationOnly: true },
);
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });

/** The declarations of a file, as modules see them. */
const emitted = new Map();
function declarationsOf(source) {
  if (!emitted.has(source)) {
    let text = '';
    program.emit(source, (_path, written) => (text = written), undefined, true);
    emitted.set(source, ts.createSourceFile('emitted.d.ts', text, ts.ScriptTarget.Latest, true));
  }
  return emitted.get(source);
}

/** A module cannot name private members, so they are not listed. */
const isPrivate = (member) =>
  ts.canHaveModifiers(member) &&
  ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);

function printed(statement, source) {
  const { transformed } = ts.transform(statement, [
    (context) => (root) =>
      ts.visitEachChild(
        root,
        (node) => (ts.isClassElement(node) && isPrivate(node) ? undefined : node),
        context,
      ),
  ]);
  return printer.printNode(ts.EmitHint.Unspecified, transformed[0], source);
}

function namesOf(statement) {
  if (!ts.isVariableStatement(statement)) return [statement.name?.text];
  return statement.declarationList.declarations.map(({ name }) => name.text);
}

/** An error needs no docstring: its message documents it. */
const isError = ({ initializer }) =>
  initializer && ts.isCallExpression(initializer) && initializer.expression.getText() === 'defineError';

const faults = [];
function linesOf(path) {
  const file = program.getSourceFile(join(PROJECT, path));
  return checker.getExportsOfModule(checker.getSymbolAtLocation(file)).map((exported) => {
    const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
    const [declaration] = symbol.declarations;
    if (symbol.getDocumentationComment(checker).length === 0 && !isError(declaration)) {
      const { fileName } = declaration.getSourceFile();
      faults.push(`${exported.name} of ${relative(PROJECT, fileName)} has no docstring.`);
    }
    const source = declarationsOf(declaration.getSourceFile());
    return source.statements
      .filter((statement) => namesOf(statement).includes(symbol.name))
      .map((statement) => printed(statement, source))
      .join('\n');
  });
}

const text = Object.entries(SOURCES)
  .map(([name, path]) => [`# ${name}`, ...linesOf(path).sort((a, b) => (a < b ? -1 : 1))].join('\n\n'))
  .join('\n\n');

if (!process.argv.includes('--check')) writeFileSync(LIST, `${text}\n`);
else if (readFileSync(LIST, 'utf8') !== `${text}\n`) {
  faults.push(
    'packages/platform/exports.txt differs from what is exported: see whether the version in packages/platform/package.json says so, then run npm run artefacts and commit it.',
  );
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
