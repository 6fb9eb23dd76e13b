import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { Changes } from '../edit/changes.ts';
import type { FieldOptions } from '../field/plan.ts';
import { propertiesOf } from '../edit/classes.ts';
import {
  classOf,
  type ExistingModule,
  isKeptByTheTable,
  readModule,
  type StoredMember,
  storedMembers,
} from '../module/existing-module.ts';
import { finish, type Plan } from '../module/finish.ts';
import { readPresentField } from '../module/present-field.ts';
import { isRepository } from '../module/repository.ts';
import { refuseRenamed, Steps, stepsOfRequirement } from '../module/releases.ts';
import { Refusal } from '../refusal.ts';
import { dropColumn } from './drop.ts';
import { isRetired, retire } from './retire.ts';
import { editTests } from './test-edits.ts';
import { entitySources } from '../module/generated-module.ts';

/**
 * Decides the changes of this release that remove a field of a module: first no code uses it any more, two releases later its
 * column goes.
 *
 * @throws Refusal
 */
export async function planRemove(
  options: FieldOptions,
  tree: Tree,
  _context: SchematicContext,
): Promise<Plan> {
  const module = readModule(tree, options.name);
  const member = memberNamed(module, [options.path, ...(options.words ?? [])].join(' ').trim());
  const { name } = member;
  const changes = new Changes(tree);
  const steps = new Steps(changes, module, tree, `remove ${name}`);
  if (isRetired(member)) {
    const waiting = steps.waiting('was retired');
    if (waiting !== undefined) return finish(changes, module, waiting);
    const migration = dropColumn(changes, tree, module, member, entitySources(tree));
    steps.end();
    return {
      ...(await finish(changes, module, '')),
      remarks: [
        isRepository(tree)
          ? `It drops on purpose: name it in src/every-migration.spec.ts, as in describeEveryMigration({ … }, ['${migration}']).`
          : `It drops on purpose: add '${migration}' to ACCEPTED in test/contract/every-migration.spec.ts.`,
      ],
    };
  }
  readPresentField(module, name);
  refuseRenamed(changes, module, name);
  refuseRequired(changes, module, name);
  refuseLast(module, name);
  retire(changes, tree, module, member);
  editTests(changes, module, name);
  steps.note();
  return {
    ...(await finish(changes, module, '')),
    remarks: [
      `Clients no longer send or get ${name}: npm run -s petstore -- openapi diff says whom that breaks. Its column stays, unused, while nodes of the version before serve. Run the same command again for ${steps.next()} or later: then the column goes, with what is in it.`,
    ],
  };
}

/** @throws Refusal */
function memberNamed(module: ExistingModule, name: string): StoredMember {
  const { plural } = module;
  const members = storedMembers(module).filter(({ node }) => !isKeptByTheTable(node));
  const member = members.find((each) => each.name === name);
  if (!member) {
    const names = members.map((each) => each.name).join(', ');
    throw new Refusal(
      name === ''
        ? 'The name of the field is missing.'
        : `${plural.kebab} have no field ${name} that can be removed: their fields are ${names}.`,
    );
  }
  if (member.node.getText().includes('@OneToMany(')) {
    throw new Refusal(
      `The field ${name} of ${plural.kebab} is a table of its own: remove it by hand over two releases, as docs/schema-changes.md says of columns.`,
    );
  }
  return member;
}

function refuseRequired(changes: Changes, module: ExistingModule, name: string): void {
  if (!stepsOfRequirement(changes, module, name).hasBegun) return;
  throw new Refusal(
    `The field ${name} of ${module.plural.kebab} is becoming required: first make it optional again, by npm run generate -- change ${module.plural.kebab} "${name}:…?".`,
  );
}

function refuseLast(module: ExistingModule, name: string): void {
  const { plural, singular } = module;
  const dto = classOf(module, `New${singular.pascal}Dto`);
  const others = dto ? propertiesOf(dto.node).filter((each) => each.name.getText() !== name) : [];
  if (!dto || others.length > 0) return;
  throw new Refusal(
    `The field ${name} is the only one of ${plural.kebab} that clients give: add another one by npm run generate -- field ${plural.kebab} "…" first.`,
  );
}
