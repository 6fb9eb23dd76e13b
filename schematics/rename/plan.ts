import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { propertyIn } from '../edit/classes.ts';
import { Changes } from '../edit/changes.ts';
import { readFurtherFields } from '../feature/fields.ts';
import { linkFields } from '../feature/references.ts';
import { addFields, type FieldOptions } from '../field/plan.ts';
import { addMigration, kebabOf } from '../indexes/plan-index.ts';
import { classOf, readModule, storedMembers } from '../module/existing-module.ts';
import { finish, type Plan } from '../module/finish.ts';
import { readPresentField } from '../module/present-field.ts';
import { Steps } from '../module/releases.ts';
import { Refusal } from '../refusal.ts';
import { planRemove } from '../remove/plan.ts';
import { isRetired } from '../remove/retire.ts';
import { fillMethod, readNames, type Rename } from './names.ts';
import { beginInService, endInService, readMember, switchInService } from './service-edits.ts';
import { beginInTests, endInTests } from './test-edits.ts';

/**
 * Decides the changes of this release that rename a field of a module: it gets another column, which is written besides the old
 * one; two releases later that is read; two releases later the old one is removed, in two steps.
 *
 * @throws Refusal
 */
export async function planRename(
  options: FieldOptions,
  tree: Tree,
  context: SchematicContext,
): Promise<Plan> {
  const module = readModule(tree, options.name);
  const rename = { module, ...readNames([options.path, ...(options.words ?? [])].join(' ')) };
  const { from, to } = rename;
  const { plural } = module;
  const members = storedMembers(module);
  const [old, next] = [from, to].map((name) => members.find((member) => member.name === name));
  const changes = new Changes(tree);
  if (!old && next) {
    return finish(changes, module, `${plural.kebab} have ${to} and no ${from} already: nothing was changed.`);
  }
  if (old && isRetired(old)) return planRemove({ name: options.name, path: from }, tree, context);
  if (!old || !next) return begin(changes, rename, context);
  const read = readMember(rename);
  if (read === undefined) {
    throw new Refusal(
      `The field ${to} of ${plural.kebab} already exists, and ${from} is not being renamed to it: choose another name.`,
    );
  }
  const steps = new Steps(changes, module, tree, stepsOf(rename));
  const waiting = steps.waiting(read === from ? 'got its new name' : 'was read by its new name');
  if (waiting !== undefined) return finish(changes, module, waiting);
  if (read === to) return end(changes, rename, steps, context);
  switchInService(changes, rename);
  requireFilled(changes, rename);
  steps.note();
  return {
    ...(await finish(changes, module, '')),
    remarks: [
      `The migration refuses ${plural.words} whose ${to} is not filled yet: petstore jobs run ${plural.pascal}Service.${fillMethod(rename)} of the version before fills them at once. What the list does by ${from}, and a unique index of it, are added to ${to} now, by npm run generate -- list and unique. Run the same command again for ${steps.next()} or later: then clients no longer send or get ${from}.`,
    ],
  };
}

function stepsOf({ from, to }: Pick<Rename, 'from' | 'to'>): string {
  return `rename ${from} ${to}`;
}

/** Adds the new name, which is written with the old one. */
async function begin(changes: Changes, rename: Rename, context: SchematicContext): Promise<Plan> {
  const { module, from, to } = rename;
  const { plural } = module;
  const { text } = readRenamed(rename);
  const described = `${to}${text.slice(from.length)}`;
  new Steps(changes, module, changes.tree, stepsOf(rename)).note();
  await addFields(changes, module, { text: described, hasTests: false }, context);
  const branch = await changes.branch(process.cwd());
  const later = new Changes(branch);
  later.byHand.push(...changes.byHand);
  const grown = { ...rename, module: readModule(branch, plural.kebab) };
  const [field] = linkFields(readFurtherFields(described, module), module, []);
  beginInService(later, grown);
  if (field) beginInTests(later, grown, field);
  const steps = new Steps(later, module, branch, stepsOf(rename));
  return {
    ...(await finish(later, module, '')),
    remarks: [
      `Clients may use either name, and get both. ${plural.pascal}Service.${fillMethod(rename)} fills ${to} of the ${plural.words} that are there, at night or by petstore jobs run, once no node of the version before serves. Run the same command again for ${steps.next()} or later: then ${to} is read.`,
    ],
  };
}

/** The field to be renamed. @throws Refusal for one that the command cannot rename */
function readRenamed({ module, from }: Rename) {
  const { plural } = module;
  const present = readPresentField(module, from);
  const of = `The field ${from} of ${plural.kebab}`;
  const byHand = 'rename it by hand, with a column of its own for the new name (docs/schema-changes.md)';
  if (present.access === 'read-only')
    throw new Refusal(`${of} is read-only, so the service decides its value: ${byHand}.`);
  if (present.access === 'create-only')
    throw new Refusal(`${of} is create-only, so only the creation takes its value: ${byHand}.`);
  if (!present.text.endsWith('?')) {
    throw new Refusal(
      `${of} is ${present.text}, and a client that sends it by one name leaves the other one out, so only an optional field without a default is renamed by this command: ${byHand}.`,
    );
  }
  const query = classOf(module, `List${plural.pascal}Query`);
  if (present.type === 'enum' || (query && propertyIn(query.node, from))) {
    throw new Refusal(`${of} is ${present.text}, by which the list is filtered: ${byHand}.`);
  }
  return present;
}

/** Has the next migration look whether the new column is filled. */
function requireFilled(changes: Changes, { module, from, to }: Rename): void {
  const columns = [from, to].map(
    (name) => storedMembers(module).find((member) => member.name === name)?.column ?? name,
  );
  const [old, next] = columns;
  const names = columns.map((name) => `'${name}'`).join(', ');
  const condition = `"${next}" IS NOT DISTINCT FROM "${old}"`;
  addMigration(changes, changes.tree, `require-${kebabOf([to])}-of-${module.plural.kebab}`, {
    imports: `import { requireCheck } from '../platform/database/driver/requirements';\n`,
    up: `await requireCheck(queryRunner, '${module.table}', [${names}], '${condition}');`,
    down: undefined,
  });
}

/** Removes the old name from all but the table. */
async function end(changes: Changes, rename: Rename, steps: Steps, context: SchematicContext): Promise<Plan> {
  const { module, from } = rename;
  endInService(changes, rename);
  endInTests(changes, rename);
  steps.end();
  const branch = await changes.branch(process.cwd());
  const plan = await planRemove({ name: module.plural.kebab, path: from }, branch, context);
  return { ...plan, byHand: [...changes.byHand, ...plan.byHand] };
}
