import type { Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import type { Changes } from '../edit/changes.ts';
import { addDecorator, decoratorName, decoratorsOf } from '../edit/classes.ts';
import { isValid } from '../feature/field-values.ts';
import { editHeritage } from '../field/class-edits.ts';
import { editSpecOfOptional } from '../field/spec-edits.ts';
import type { LinkedField } from '../feature/references.ts';
import { addMigration, kebabOf } from '../indexes/plan-index.ts';
import { addColumnOptions, isNullable, removeNullable, setNull } from '../module/columns.ts';
import { type ExistingModule, type StoredMember, storedMembers } from '../module/existing-module.ts';
import type { Rendered } from '../module/rendered.ts';
import { stepsOfRequirement } from '../module/releases.ts';
import { Refusal } from '../refusal.ts';
import { editTests } from '../remove/test-edits.ts';
import { textIn } from '../text/sources.ts';
import { textLiteral } from '../text/spelling.ts';
import { editReturned, editStored, type Outputs } from './code-edits.ts';
import type { FieldChange } from './database-step.ts';
import {
  addFill,
  fillMethod,
  forgetRequired,
  keepOptionalInResponses,
  removeFill,
  requireInResponses,
} from './requirement-code.ts';
import { isOfDefault, isOptionality } from './requirement-tests.ts';

/** Lets a field be left out, at once. @returns sentences for the person who runs the command */
export function makeOptional(
  changes: Changes,
  tree: Tree,
  { module, field, before }: FieldChange,
  outputs: Outputs,
): string[] {
  const { name } = field;
  const member = memberOf(module, name);
  const edit = changes.edit(module.entity.path);
  const check = checkOf(module, member);
  const wasNullable = isNullable(member.node);
  requireInResponses(changes, module, name);
  forgetRequired(changes, module, name, ['Dto']);
  editStored(changes, module, name, outputs);
  editReturned(changes, module, name, outputs);
  removeFill(changes, module, name);
  if (before.options.default !== undefined) editTests(changes, module, name, isOfDefault);
  editSpecOfOptional(changes, module, field, outputs.after, outputs.before);
  if (!wasNullable && !addColumnOptions(edit, member.node, 'nullable: true')) {
    changes.leaveByHand(module.entity.path, `at the property ${name}`, ['{ nullable: true }']);
  }
  setNull(edit, member.node, true);
  if (check) edit.removeWhole(check);
  const steps = [
    ...(wasNullable ? [] : [notNull(module, member, false)]),
    ...(check ? [checked(module, member, false)] : []),
  ];
  addSteps(changes, tree, `let-${module.plural.kebab}-have-no-${kebabOf([name])}`, steps);
  stepsOfRequirement(changes, module, name).end();
  return [
    `Responses may lack ${name} from now on: npm run -s petstore -- openapi diff says whom that breaks. Nodes of the version before return null for it.`,
  ];
}

/**
 * Has clients give a field that was optional. Responses may lack it as long as there are rows without it.
 *
 * @param fill the value for those, if any
 * @returns sentences for the person who runs the command
 * @throws Refusal
 */
export function beginRequirement(
  changes: Changes,
  { module, field }: FieldChange,
  outputs: Outputs,
  fill: string | undefined,
): string[] {
  const { name, options } = field;
  const { plural } = module;
  refuseFill(module, field, fill);
  const value = fill ?? options.default;
  if (options.default === undefined) keepOptionalInResponses(changes, module, name);
  editStored(changes, module, name, outputs);
  editTests(changes, module, name, isOptionality);
  if (value !== undefined) addFill(changes, module, field, value);
  const steps = stepsOfRequirement(changes, module, name);
  steps.note();
  const filled =
    value === undefined
      ? `npm run -s petstore -- ${plural.kebab} list --not-set ${name} lists the ${plural.words} without it: give them one`
      : `${plural.pascal}Service.${fillMethod(name)} gives ${plural.words} without it ${JSON.stringify(value)}, at night or by petstore jobs run, once no node of the version before serves`;
  const given =
    options.default === undefined
      ? `Clients must give ${name} from now on, and cannot remove it`
      : `Clients cannot remove ${name} any more`;
  return [
    `${given}: npm run -s petstore -- openapi diff says whom that breaks. ${filled}. Run the same command again for ${steps.next()} or later: then every response has it.`,
  ];
}

/**
 * Makes the next step for a field that clients must give: first every row must have it, two releases later its column is NOT NULL.
 *
 * @returns sentences for the person who runs the command, and whether a step was made; undefined if none is left
 */
export async function continueRequirement(
  changes: Changes,
  tree: Tree,
  { module, field }: FieldChange,
  render: (field: LinkedField) => Promise<Rendered>,
): Promise<{ readonly remark: string; readonly isMade: boolean } | undefined> {
  const { name } = field;
  const { plural } = module;
  const member = memberOf(module, name);
  const steps = stepsOfRequirement(changes, module, name);
  if (!steps.hasBegun) return undefined;
  const check = checkOf(module, member);
  const waiting = steps.waiting(check ? 'was required of every row' : 'was required of clients');
  if (waiting !== undefined) return { remark: waiting, isMade: false };
  const edit = changes.edit(module.entity.path);
  if (check) {
    removeNullable(edit, member.node);
    edit.removeWhole(check);
    addSteps(changes, tree, `make-${kebabOf([name])}-of-${plural.kebab}-not-null`, [
      notNull(module, member, true),
      checked(module, member, false),
    ]);
    steps.end();
    return { remark: `The column of ${name} is NOT NULL from now on: this was the last step.`, isMade: true };
  }
  const optional = { ...field, optional: true, options: { ...field.options, default: undefined } };
  const outputs = { after: await render(field), before: await render(optional) };
  requireInResponses(changes, module, name);
  editHeritage(changes, module, outputs.after, outputs.before);
  editReturned(changes, module, name, outputs);
  removeFill(changes, module, name);
  setNull(edit, member.node, false);
  addDecorator(edit, module.entity.node, `@Check('${checkName(module, member)}', \`${condition(member)}\`)`);
  edit.import({ name: 'Check', from: 'typeorm', isType: false });
  addSteps(changes, tree, `require-${kebabOf([name])}-of-${plural.kebab}`, [checked(module, member, true)]);
  steps.note();
  return {
    remark: `The migration refuses ${plural.words} without ${name}, and names them. Run the same command again for ${steps.next()} or later: then the column is NOT NULL.`,
    isMade: true,
  };
}

/** @throws Refusal for a field whose rows cannot get this value */
function refuseFill(module: ExistingModule, field: FieldChange['field'], fill: string | undefined): void {
  if (fill === undefined) return;
  const { name, options } = field;
  const of = `${name} of ${module.plural.kebab}`;
  if (options.default !== undefined) {
    throw new Refusal(`Rows without ${of} get its default, ${options.default}: leave out --fill.`);
  }
  if (options.unique) {
    throw new Refusal(
      `The values of ${of} are unique, so rows cannot get the same one: leave out --fill, and give each its own.`,
    );
  }
  if (field.isArray || !isValid(field, fill)) {
    throw new Refusal(
      `${JSON.stringify(fill)} is no value of the field ${of}: ${field.isArray ? 'leave out --fill, and fill arrays by hand' : 'give one that it takes'} (docs/schema-changes.md).`,
    );
  }
}

/** A statement of a migration, with what takes it back. */
interface Step {
  readonly up: string;
  readonly down: string;
  readonly helper: string;
}

function addSteps(changes: Changes, tree: Tree, name: string, steps: readonly Step[]): void {
  if (steps.length === 0) return;
  const up = steps.map((step) => step.up);
  const down = steps.map((step) => step.down).toReversed();
  const isRequired = [...up, ...down].some((text) => text.includes('requireNotNull('));
  const helpers = [...new Set(steps.map(({ helper }) => helper))].sort();
  addMigration(changes, tree, name, {
    imports: [
      ...(isRequired ? [`import { requireNotNull } from '../platform/database/driver/requirements';\n`] : []),
      `import { ${helpers.join(', ')} } from '../platform/database/driver/table-changes';\n`,
    ].join(''),
    up: up.join('\n'),
    down: down.join('\n'),
  });
}

function notNull({ table }: ExistingModule, { column }: StoredMember, isNotNull: boolean): Step {
  const required = `await requireNotNull(queryRunner, '${table}', '${column}');\n`;
  const setting = (isNull: boolean) =>
    `${isNull ? '' : required}await setNullable(queryRunner, '${table}', '${column}', ${isNull});`;
  return { up: setting(!isNotNull), down: setting(isNotNull), helper: 'setNullable' };
}

/** PostgreSQL looks at the rows by the check, without a lock, so that NOT NULL need not. */
function checked(module: ExistingModule, member: StoredMember, isChecked: boolean): Step {
  const { table } = module;
  const required = `await requireNotNull(queryRunner, '${table}', '${member.column}');\n`;
  const replacing = (text: string) =>
    `await replaceCheck(queryRunner, '${table}', { name: '${checkName(module, member)}', expression: ${text} });`;
  const [on, off] = [replacing(textLiteral(condition(member))), replacing('undefined')];
  const [up, down] = isChecked ? [`${required}${on}`, off] : [off, on];
  return { up, down, helper: 'replaceCheck' };
}

function checkName({ table }: ExistingModule, { column }: StoredMember): string {
  return `chk_${table}_has_${column}`;
}

function condition({ column }: StoredMember): string {
  return `"${column}" IS NOT NULL`;
}

function checkOf(module: ExistingModule, member: StoredMember): ts.Decorator | undefined {
  return decoratorsOf(module.entity.node).find(
    (each) =>
      decoratorName(each) === 'Check' &&
      ts.isCallExpression(each.expression) &&
      textIn(each.expression.arguments[0], '') === checkName(module, member),
  );
}

function memberOf(module: ExistingModule, name: string): StoredMember {
  return storedMembers(module).find((member) => member.name === name) as StoredMember;
}
