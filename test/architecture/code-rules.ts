import { posix } from 'node:path';
import ts from 'typescript';
import { nodesOf } from '@petstore/create/sources';
import { isProduction, noImports, type Rule } from './import-rules';
import { violation } from './source-files';

const FEATURES = 'src/features.ts';

/** Files that export what others declare. */
const BARRELS = /^src\/(features\.ts|platform\/exports\.ts|exports\/)/;

/** A line that exports one thing by its name, which is there at run time. */
export const featuresHaveALineEach: Rule = (files) =>
  files
    .filter(({ path }) => path === FEATURES)
    .flatMap((file) =>
      file.tree.statements
        .filter((statement) => !isFeatureLine(statement))
        .map((statement) =>
          violation(
            file,
            statement,
            "is no line such as export { PetsModule } from './pets/pets.module';, which lists one feature.",
          ),
        ),
    );

function isFeatureLine(statement: ts.Statement): boolean {
  if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier || statement.isTypeOnly) return false;
  const clause = statement.exportClause;
  if (!clause || !ts.isNamedExports(clause)) return false;
  const [element, ...others] = clause.elements;
  return element !== undefined && others.length === 0 && !element.isTypeOnly;
}

/** What features import of the platform, here and in other repositories. */
const PLATFORM = 'src/platform/exports';

/** What their tests import of the test kit. */
const TESTING = 'test/support/service/testing';

/** Folders of `src` that are no features. */
const NO_FEATURE = /^src\/(platform|auth|health|admin|process|exports)\//;

/** Whether a file, or a test, is of a feature. */
function isOfFeature(path: string): boolean {
  return path.startsWith('src/') && path.split('/').length > 2 && !NO_FEATURE.test(path);
}

const PETS = 'src/pets/';

/** What other features import of pets, here and in other repositories; all else imports their files. */
const EXPORTS = 'src/exports/';

/** A name is imported from the file that declares it: with barrels the order of imports decides what is undefined. */
export const noBarrels: Rule = (files) =>
  files
    .filter((file) => isProduction(file) && !BARRELS.test(file.path))
    .flatMap((file) => [
      ...file.imports
        .filter(({ target }) => target.startsWith(EXPORTS) && !isOfFeature(file.path))
        .map(({ target, line }) => violation(file, line, `imports ${target}, which is for features.`)),
      ...(posix.basename(file.path) === 'index.ts' ? [violation(file, 1, 'is a barrel by its name.')] : []),
      ...nodesOf(file.tree)
        .filter((node) => ts.isExportDeclaration(node) && node.moduleSpecifier)
        .map((node) => violation(file, node, 'exports what another file declares.')),
    ]);

/** A feature moves to another repository by moving its folder: it and its tests import the platform and pets as packages, here as there. */
export const featuresImportThePackage = noImports(
  ({ path }) => isOfFeature(path),
  ({ target, isPackage }, { path }) =>
    !isPackage &&
    (/^(src\/platform|test\/support)\//.test(target) ||
      (target.startsWith(PETS) && !path.startsWith(PETS))) &&
    target !== PLATFORM &&
    target !== TESTING,
  "a feature imports '@petstore/platform'.",
);

/** Only features go through the package: all else imports the file that declares a name. */
export const thePackageIsForFeatures = noImports(
  (file) => isProduction(file) && NO_FEATURE.test(file.path),
  ({ target }) => target === PLATFORM,
  'the package is for features.',
);

/** What writes files, or opens them for that. */
const WRITES_FILES =
  /^(\*|open|openSync|(write|append|copy|createWrite)\w+|cp|cpSync|rename\w*|truncate\w*|(sym)?link\w*)$/;

/** Files that open others in another way, each for a reason of its own. */
const OPENS_FILES: ReadonlySet<string> = new Set([
  'src/platform/cli/new-file.ts',
  // Reads the beginnings of backups.
  'src/platform/database/monitoring/newest-backup.ts',
  // Copies a backup into a folder of its own.
  'src/admin/database/scratch.ts',
  // Makes databases.
  'src/platform/database/driver/sqlite-file.ts',
  // Open standard error once more, and write to it.
  'src/platform/logging/log-stream.ts',
  'src/platform/logging/standard-error.ts',
  // Reads the file to import; a copy of standard input is in a folder of its own.
  'src/admin/records/transfer/import-file.ts',
  // Generate files of a checkout, which are committed or built.
  'src/process/openapi-document.ts',
  'src/process/write-settings-docs.ts',
  'src/write-command-outlines.ts',
]);

/** A file that an operator names is new, private and whole, and no command empties another. */
export const filesAreWrittenInOnePlace = noImports(
  (file) => isProduction(file) && !OPENS_FILES.has(file.path),
  ({ target, names }) =>
    /^node:fs(\/promises)?$/.test(target) && names.some((name) => WRITES_FILES.test(name)),
  'NewFile of src/platform/cli/new-file.ts writes the files of commands.',
);

/** A timer ends at once where it is to last for more than 24.8 days, and some times come from people. */
export const oneFunctionWaits = noImports(
  (file) => isProduction(file) && file.path !== 'src/platform/values/wait.ts',
  ({ target, names }) =>
    /^(node:)?timers\/promises$/.test(target) && names.some((name) => name === '*' || name === 'setTimeout'),
  'wait() of src/platform/values/wait.ts waits for any time.',
);

const MIGRATIONS = /^src\/(?:platform\/)?migrations\//;

/** One flat folder in the order of time: a file is `<milliseconds>-<name>.ts` and exports the one class of that name. */
export const migrationsAreFlatAndOrdered: Rule = (files) => {
  const migrations = files.filter(({ path }) => MIGRATIONS.test(path));
  const times = migrations.map(({ path }) => parseInt(posix.basename(path), 10));
  return migrations.flatMap((file, i) => {
    const [, time, name] =
      /^(\d{13})-([a-z0-9]+(?:-[a-z0-9]+)*)\.ts$/i.exec(file.path.replace(MIGRATIONS, '')) ?? [];
    if (time === undefined || name === undefined) {
      return [
        violation(
          file,
          1,
          `is not named <13 digits>-<name>.ts, directly in the folder of the migrations: npm run typeorm -- migration:create src/migrations/AddShops makes one.`,
        ),
      ];
    }
    if (times.indexOf(Number(time)) !== i) return [violation(file, 1, 'has the time of another migration.')];
    const expected = `${name.replaceAll(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())}${time}`;
    const classes = nodesOf(file.tree).filter((node) => ts.isClassDeclaration(node));
    return classes.length === 1 && classes[0]?.name?.text === expected
      ? []
      : [violation(file, classes[0] ?? 1, `must declare the one class ${expected}.`)];
  });
};

/** TypeORM itself generates SQL for the engine that it is connected to, and a migration runs on both. */
export const migrationsMakeTablesOnBothEngines: Rule = (files) =>
  files
    .filter(({ path }) => MIGRATIONS.test(path))
    .flatMap((file) =>
      nodesOf(file.tree)
        .filter((node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))
        .filter((node) => /^.\s*CREATE\s+TABLE\b/i.test(node.getText()))
        .map((node) =>
          violation(
            file,
            node,
            'makes a table in the SQL of one engine: write queryRunner.createTable(new Table({ ... })), as npm run typeorm -- migration:generate does.',
          ),
        ),
    );
