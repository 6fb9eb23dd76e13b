import ts from 'typescript';
import { memberIn } from '../edit/literals.ts';
import type { LinkedField, LinkedOwned } from '../feature/references.ts';
import { nodesOf, textIn } from '../text/sources.ts';
import { spell, wordsOf } from '../text/spelling.ts';
import type { ExistingModule } from '../module/existing-module.ts';
import type { Rendered } from '../module/rendered.ts';
import type { NamedField } from './class-edits.ts';

/** Members of a column that a plain `ADD COLUMN` covers; a column with others is added by TypeORM. */
const PLAIN_COLUMN: ReadonlySet<string> = new Set(['name', 'type', 'isNullable', 'default']);

/** Additions to a module: fields that are columns, and arrays of objects. */
export interface AddedFields {
  readonly fields: readonly LinkedField[];
  readonly owned: readonly LinkedOwned[];
}

/** The statements of a migration, each on lines of its own. */
interface Statements {
  readonly up: readonly string[];
  readonly down: readonly string[];
  /** Classes of TypeORM and column types that they use. */
  readonly classes: readonly string[];
  readonly types: readonly string[];
  /** True if the column is added by a statement that both engines know. */
  readonly isPlain: boolean;
}

/** The name of a migration's file, without its time. */
export function migrationName({ plural }: ExistingModule, fields: readonly NamedField[]): string {
  const names = fields.map(({ name }) => spell(wordsOf(name)).kebab);
  return `add-${names.join('-and-')}-to-${plural.kebab}`;
}

/** The migration that adds the columns of fields and the tables of arrays of objects, as the templates would create them. */
export function addingMigration(
  module: ExistingModule,
  { fields, owned }: AddedFields,
  rendered: Rendered,
  time: number,
): string {
  const statements = [
    ...fields.map((field) => statementsOf(module.table, field, rendered)),
    ...owned.map((each) => statementsOfTable(each, rendered)),
  ];
  const types = distinct(statements.flatMap((each) => each.types));
  const classes = distinct(statements.flatMap((each) => each.classes));
  return `${importOfTypeorm(classes)}
import { columnTypes } from '../platform/database/column-types';
${importsFor(statements.flatMap(({ up }) => up))}
export class ${spell(migrationName(module, [...fields, ...owned]).split('-')).pascal}${time} implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { ${types.join(', ')} } = columnTypes(queryRunner);
    ${statements.some(({ isPlain }) => isPlain) ? '// In SQL: TypeORM would rebuild the table on SQLite.\n' : ''}${statements.flatMap(({ up }) => up).join('\n')}
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    ${statements
      .toReversed()
      .flatMap(({ down }) => down)
      .join('\n')}
  }
}
`;
}

/** Functions of the platform that migrations call, by the file that has them. */
const HELPERS: Readonly<Record<string, readonly string[]>> = {
  '../platform/database/driver/late-constraints': ['addCheck', 'addCheckedColumn', 'addForeignKey'],
  '../platform/database/statements/text-index': ['createTextIndex'],
};

function importsFor(lines: readonly string[]): string {
  return Object.entries(HELPERS)
    .map(([path, names]) => {
      const used = names.filter((name) => lines.some((line) => line.includes(`await ${name}(`)));
      return used.length > 0 ? `import { ${used.join(', ')} } from '${path}';\n` : '';
    })
    .join('');
}

/** The table of an array of objects. */
function statementsOfTable({ item: { table } }: LinkedOwned, rendered: Rendered): Statements {
  const definition = rendered.tables.find((each) => textIn(each, 'name') === table);
  if (!definition) throw new Error(`The templates do not generate a table ${table}.`);
  const types = nodesOf(definition)
    .filter((node) => ts.isPropertyAssignment(node) && node.name.getText() === 'type')
    .flatMap((node) => namesIn((node as ts.PropertyAssignment).initializer));
  return {
    up: [`await queryRunner.createTable(new Table(${definition.getText()}));`],
    down: [`await queryRunner.dropTable('${table}');`],
    classes: ['Table'],
    types,
    isPlain: false,
  };
}

function statementsOf(table: string, { column }: LinkedField, rendered: Rendered): Statements {
  const definition = rendered.partsOfTable('columns').find((part) => textIn(part, 'name') === column);
  if (!definition) throw new Error(`The templates do not generate a column ${column}.`);
  const about = (member: string) => rendered.partsOfTable(member).filter((part) => mentions(part, column));
  const [checks = [], foreignKeys = []] = ['checks', 'foreignKeys'].map(about);
  const indices = [...about('indices'), ...about('uniques')];
  const textIndexes = rendered.textIndexes.filter((part) => textIn(part, 'column') === column);
  const isPlain = definition.properties.every(({ name }) => PLAIN_COLUMN.has(name?.getText() ?? ''));
  const typed = memberIn(definition, 'type');
  const read = `// Reload the table: TypeORM does not see changes made in SQL.
    await queryRunner.getTable('${table}');`;
  return {
    up: [
      ...(isPlain
        ? [plainColumn(table, columnSql(definition), checks)]
        : [
            read,
            `await queryRunner.addColumn('${table}', new TableColumn(${definition.getText()}));`,
            ...checks.map(
              (part) => `await addCheck(queryRunner, '${table}', new TableCheck(${part.getText()}));`,
            ),
          ]),
      ...foreignKeys.flatMap((part) => [
        ...(isPlain ? [read] : []),
        `await addForeignKey(queryRunner, '${table}', new TableForeignKey(${part.getText()}));`,
      ]),
      ...indices.map((part) => `await queryRunner.query('${creationOfIndex(table, part)}');`),
      ...textIndexes.map((part) => `await createTextIndex(queryRunner, ${part.getText()});`),
    ],
    down: [
      ...[...indices, ...textIndexes].map(
        (part) => `await queryRunner.query('DROP INDEX "${textIn(part, 'name')}"');`,
      ),
      ...(checks.length + foreignKeys.length > 0 ? [read] : []),
      ...foreignKeys.map(
        (part) => `await queryRunner.dropForeignKey('${table}', '${textIn(part, 'name')}');`,
      ),
      ...checks.map(
        (part) => `await queryRunner.dropCheckConstraint('${table}', '${textIn(part, 'name')}');`,
      ),
      `await queryRunner.query('ALTER TABLE "${table}" DROP COLUMN "${column}"');`,
    ],
    isPlain,
    classes: [
      ...(isPlain ? [] : ['TableColumn']),
      ...(checks.length > 0 ? ['TableCheck'] : []),
      ...(foreignKeys.length > 0 ? ['TableForeignKey'] : []),
    ],
    types: typed && ts.isPropertyAssignment(typed) ? namesIn(typed.initializer) : [],
  };
}

function creationOfIndex(table: string, part: ts.ObjectLiteralExpression): string {
  const columns = nodesOf(part)
    .filter((node) => ts.isArrayLiteralExpression(node))
    .flatMap(({ elements }) => elements.filter((element) => ts.isStringLiteralLike(element)))
    .map(({ text }) => text);
  const list = columns.map((column) => `"${column}"`).join(', ');
  const kind = memberIn(part, 'isUnique') ? 'UNIQUE INDEX' : 'INDEX';
  return `CREATE ${kind} IF NOT EXISTS "${textIn(part, 'name')}" ON "${table}" (${list})`;
}

/** The call that adds a column by SQL. */
function plainColumn(table: string, column: string, checks: readonly ts.ObjectLiteralExpression[]): string {
  if (checks.length === 0) return `await queryRunner.query(\`ALTER TABLE "${table}" ADD COLUMN ${column}\`);`;
  const given = checks.map((part) => `new TableCheck(${part.getText()})`);
  return `await addCheckedColumn(queryRunner, '${table}', \`${column}\`, ${given.join(', ')});`;
}

/** The column for `ADD COLUMN` on both engines, within a template literal. */
function columnSql(definition: ts.ObjectLiteralExpression): string {
  const value = (member: string) => {
    const property = memberIn(definition, member);
    return property && ts.isPropertyAssignment(property) ? property.initializer : undefined;
  };
  const given = value('default');
  const fallback = given && ts.isStringLiteralLike(given) ? given.text : undefined;
  return [
    `"${textIn(definition, 'name')}" \${${value('type')?.getText()}}`,
    ...(value('isNullable') ? [] : ['NOT NULL']),
    ...(fallback === undefined ? [] : [`DEFAULT ${withinTemplate(fallback)}`]),
  ].join(' ');
}

/** A text escaped for a template literal. */
function withinTemplate(text: string): string {
  return text.replaceAll(/[\\`]|\$\{/g, '\\$&');
}

/** True if a part of a table lists a column, or its condition names it. */
function mentions(part: ts.ObjectLiteralExpression, column: string): boolean {
  return nodesOf(part)
    .filter((node) => ts.isStringLiteralLike(node))
    .some(({ text }) => text === column || text.includes(`"${column}"`));
}

/** The names in an expression: `array` and `text` for `array(text)`. */
function namesIn(expression: ts.Expression): string[] {
  return nodesOf(expression)
    .filter((node) => ts.isIdentifier(node))
    .map(({ text }) => text);
}

/** @param classes classes of which the migration makes instances */
function importOfTypeorm(classes: readonly string[]): string {
  return classes.length > 0
    ? `import { type MigrationInterface, type QueryRunner, ${classes.join(', ')} } from 'typeorm';`
    : `import type { MigrationInterface, QueryRunner } from 'typeorm';`;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
