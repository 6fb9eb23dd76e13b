import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { Changes } from '../edit/changes.ts';
import { addDecorator } from '../edit/classes.ts';
import { readFields } from '../feature/fields.ts';
import { linkFields } from '../feature/references.ts';
import { indexSql } from '../field/migration.ts';
import { decorateHandlers } from '../module/decorators.ts';
import { readModule, type StoredMember } from '../module/existing-module.ts';
import { finish, type Plan } from '../module/finish.ts';
import { refuseRenamed } from '../module/releases.ts';
import { Rendered } from '../module/rendered.ts';
import { Refusal } from '../refusal.ts';
import { bodyOption, varyValues } from './distinct-values.ts';
import { indexesOf, isFreeText, membersNamed } from './existing-indexes.ts';
import { addMigration, type IndexOptions, kebabOf, namesIn, refuseTakenIndex } from './plan-index.ts';

/** Longest text that always fits into an index of PostgreSQL, whatever its characters. */
export const MOST_CHARACTERS = 500;

/**
 * Decides the changes that make the values of some fields unique in a module: the entity, a migration, the responses of
 * operations, and the tests.
 *
 * @throws Refusal
 */
export async function planUnique(
  options: IndexOptions,
  tree: Tree,
  context: SchematicContext,
): Promise<Plan> {
  const module = readModule(tree, options.name);
  const members = membersNamed(module, namesIn(options));
  const names = members.map(({ name }) => name);
  const columns = members.map(({ column }) => column);
  const { table, plural } = module;
  const name = `uq_${table}_${columns.join('_')}`;
  const unchanged = `${names.join(', ')} of ${plural.kebab} must be unique already: nothing was changed.`;
  const changes = new Changes(tree);
  names.forEach((each) => refuseRenamed(changes, module, each));
  const covered = indexesOf(module).some(
    (each) => each.isWhole && each.isUnique && each.members.join() === names.join(),
  );
  if (covered) return finish(changes, module, unchanged);
  const long = members.find(
    (member) =>
      isFreeText(member) && !(Number(bodyOption(module, member.name, 'maxLength')) <= MOST_CHARACTERS),
  );
  if (long) {
    throw new Refusal(
      `The text ${long.name} must have a maxLength of ${MOST_CHARACTERS} or less: PostgreSQL cannot index longer ones.`,
    );
  }
  refuseTakenIndex(tree, name);

  const list = names.map((each) => `'${each}'`).join(', ');
  const edit = changes.edit(module.entity.path);
  addDecorator(edit, module.entity.node, `@Index('${name}', [${list}], { unique: true })`);
  edit.import({ name: 'Index', from: 'typeorm', isType: false });
  const [before, rendered] = await Promise.all(
    ['ofNoConsequence:date?', 'ofNoConsequence:date(unique)?'].map((text) =>
      Rendered.of(module, linkFields(readFields(text, module), module, []), context),
    ),
  );
  decorateHandlers(changes, module, rendered as Rendered, before as Rendered);
  varyValues(changes, module, members[0] as StoredMember);
  const covers = columns.map((column) => `'${column}'`).join(', ');
  addMigration(changes, tree, `make-${kebabOf(names)}-of-${plural.kebab}-unique`, {
    imports: `import { requireUnique } from '../platform/database/driver/requirements';\n`,
    up: `await requireUnique(queryRunner, '${table}', [${covers}]);
    await queryRunner.query('${indexSql({ name, table, columns, isUnique: true })}');`,
    down: `await queryRunner.query('DROP INDEX "${name}"');`,
  });
  return finish(changes, module, unchanged);
}
