import type { Tree } from '@angular-devkit/schematics';
import { addDecorator, decoratorsOf } from '../edit/classes.ts';
import { Changes } from '../edit/changes.ts';
import { MIGRATIONS, nextMigrationTime } from '../text/migration-time.ts';
import { parse, pathsBelow, readSourcesWith } from '../text/sources.ts';
import { spell, wordsOf } from '../text/spelling.ts';
import { refuseLongSqlNames, refuseTakenUses } from '../feature/taken.ts';
import { importOfTypeorm, indexSql } from '../field/migration.ts';
import { type ExistingModule, readModule, type StoredMember } from '../module/existing-module.ts';
import { finish, type Plan } from '../module/finish.ts';
import { Refusal } from '../refusal.ts';
import { indexesOf, isFreeText, membersNamed } from './existing-indexes.ts';

/** Options of the schematic; see `schema.json`. */
export interface IndexOptions {
  readonly name: string;
  /** Names of fields, separated by spaces or commas. */
  readonly path?: string;
  readonly words?: readonly string[];
}

/**
 * Decides the changes for an index on fields of a module, by which its lists can then be sorted and filtered.
 *
 * @throws Refusal
 */
export async function planIndex(options: IndexOptions, tree: Tree): Promise<Plan> {
  const module = readModule(tree, options.name);
  const members = membersNamed(module, namesIn(options));
  const names = members.map(({ name }) => name);
  const changes = new Changes(tree);
  const covered = indexesOf(module).find(
    (each) => each.isWhole && !each.isUnique && each.members.join() === [...names, 'id'].join(),
  );
  const name = covered?.name ?? addIndex(changes, tree, module, members);
  return finish(
    changes,
    module,
    `${module.plural.kebab} already have the index ${name}: nothing was changed.`,
  );
}

/**
 * Adds an index on members and the id to the entity, with a migration.
 *
 * @returns its name
 * @throws Refusal
 */
export function addIndex(
  changes: Changes,
  tree: Tree,
  module: ExistingModule,
  members: readonly StoredMember[],
): string {
  const names = members.map(({ name }) => name);
  const columns = members.map(({ column }) => column);
  const index = { name: `idx_${module.table}_${columns.join('_')}_id`, table: module.table };
  const isText = members.some(isFreeText);
  if (isText && members.length > 1) {
    throw new Refusal(
      `An index on a text covers its beginning and cannot include other fields: ${names.join(', ')}.`,
    );
  }
  refuseTakenIndex(tree, index.name);
  const edit = changes.edit(module.entity.path);
  if (isText) {
    const [{ node }] = members as [StoredMember];
    const first = decoratorsOf(node)[0];
    edit.insert(first?.getStart() ?? node.getStart(), `@Index('${index.name}', { synchronize: false })\n`);
  } else {
    const list = [...names, 'id'].map((name) => `'${name}'`).join(', ');
    addDecorator(edit, module.entity.node, `@Index('${index.name}', [${list}])`);
  }
  edit.import({ name: 'Index', from: 'typeorm', isType: false });
  addMigration(changes, tree, `index-${kebabOf(names)}-of-${module.plural.kebab}`, {
    imports: isText ? `import { createTextIndex } from '../platform/database/statements/text-index';\n` : '',
    up: isText
      ? `await createTextIndex(queryRunner, { name: '${index.name}', table: '${index.table}', column: '${columns[0]}' });`
      : `await queryRunner.query('${indexSql({ ...index, columns: [...columns, 'id'] })}');`,
    down: `await queryRunner.query('DROP INDEX "${index.name}"');`,
  });
  return index.name;
}

/** The names of fields in the words of a command line. */
export function namesIn({ path = '', words = [] }: IndexOptions): string[] {
  const names = [path, ...words]
    .join(' ')
    .split(/[\s,]+/)
    .filter((name) => name !== '');
  if (names.length === 0) throw new Refusal('An index needs at least one field, as in city.');
  return names;
}

export function kebabOf(names: readonly string[]): string {
  return names.map((name) => spell(wordsOf(name)).kebab).join('-and-');
}

/** @throws Refusal when the name is taken, or PostgreSQL would cut it */
export function refuseTakenIndex(tree: Tree, name: string): void {
  const wanted = { kind: 'constraint', text: name, path: '' } as const;
  refuseTakenUses([wanted], readSourcesWith(tree, [name]));
}

/** The parts of a migration. */
interface Statements {
  readonly imports: string;
  /** Classes of TypeORM of which it makes instances. */
  readonly classes?: readonly string[];
  readonly up: string;
  readonly down: string | undefined;
}

/** Adds a migration. Its statements are on lines of their own; one that changes nothing has no `down`. @returns its class */
export function addMigration(
  changes: Changes,
  tree: Tree,
  name: string,
  { imports, classes = [], up, down }: Statements,
): string {
  const time = nextMigrationTime(pathsBelow(tree, MIGRATIONS), Date.now());
  const className = `${spell(name.split('-')).pascal}${time}`;
  const path = `${MIGRATIONS}/${time}-${name}.ts`;
  const text = `${importOfTypeorm(classes)}
${imports}
export class ${className} implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    ${up}
  }

  ${down === undefined ? '// It only looks at the rows.\n  down(): Promise<void> {\n    return Promise.resolve();' : `async down(queryRunner: QueryRunner): Promise<void> {\n    ${down}`}
  }
}
`;
  refuseLongSqlNames([parse(path, text)]);
  changes.create(path, text);
  return className;
}
