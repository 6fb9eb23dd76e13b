import type { Tree } from '@angular-devkit/schematics';
import type { Changes } from '../edit/changes.ts';
import { addDecorator } from '../edit/classes.ts';
import type { LinkedField } from '../feature/references.ts';
import { addMigration, kebabOf } from '../indexes/plan-index.ts';
import type { ExistingModule } from '../module/existing-module.ts';
import type { Steps } from '../module/releases.ts';
import { Refusal } from '../refusal.ts';
import { textLiteral } from '../text/spelling.ts';
import {
  checkName,
  type ColumnCheck,
  columnCheck,
  conditionOf,
  isNarrower,
  loosest,
  withLimits,
} from './limits.ts';

/** A change of a field's limits or values. */
export interface FieldChange {
  readonly module: ExistingModule;
  readonly field: LinkedField;
  readonly before: LinkedField;
  readonly steps: Steps;
}

/**
 * Brings the check in the database closer to the limits of a field. Wider limits are allowed at once; narrower ones are first
 * required of the rows, and checked by the database two releases later, when no node allows more.
 *
 * @returns sentences for the person who runs the command
 * @throws Refusal
 */
export function changeCheck(changes: Changes, tree: Tree, change: FieldChange): string[] {
  const { module, field, before, steps } = change;
  // The databases have no common condition for the items of an array, and the values of an enum are no limits.
  if (field.isArray || field.enum) return [];
  const [wanted, present] = [field.options, before.options];
  const check = columnCheck(module, field);
  const limits = check ? check.limits : { min: undefined, max: undefined };
  const isNarrowed = isNarrower(wanted, present);
  const isWidened = isNarrower(present, wanted);
  const name = checkName(module, field.column);
  if (!limits) {
    if (!isWidened) return [];
    throw new Refusal(
      `The check ${name} of ${module.entity.path} is not one of the generator's: change it by hand, with a migration (docs/schema-changes.md).`,
    );
  }
  const isLast = !isNarrowed && !isWidened && isNarrower(wanted, limits);
  const waiting = isLast ? steps.waiting('was narrowed') : undefined;
  if (waiting !== undefined) return [waiting];
  const next = withLimits(field, isLast ? wanted : loosest(limits, wanted));
  const isReplaced = conditionOf(next) !== check?.expression;
  if (isReplaced) editCheck(changes, module, { name, check, expression: conditionOf(next) });
  if (isReplaced || isNarrowed) {
    addStep(changes, tree, change, {
      required: isNarrowed || isLast ? conditionOf(field) : undefined,
      replaced: isReplaced ? { name, from: check?.expression, to: conditionOf(next) } : undefined,
    });
  }
  if (isNarrowed) {
    steps.note();
    return [
      `The migration refuses ${module.plural.words} that do not fit, and names them. Run the same command again for ${steps.next()} or later: then the database keeps to the limits as well.`,
    ];
  }
  if (conditionOf(next) === conditionOf(field)) steps.end();
  return [];
}

export function editCheck(
  changes: Changes,
  { entity }: ExistingModule,
  {
    name,
    check,
    expression,
  }: {
    readonly name: string;
    readonly check: ColumnCheck | undefined;
    readonly expression: string | undefined;
  },
): void {
  const edit = changes.edit(entity.path);
  const decorator = `@Check('${name}', \`${expression}\`)`;
  if (check && expression === undefined) edit.remove(check.decorator);
  else if (check) edit.replace(check.decorator, decorator);
  else if (expression !== undefined) {
    addDecorator(edit, entity.node, decorator);
    edit.import({ name: 'Check', from: 'typeorm', isType: false });
  }
}

export function addStep(
  changes: Changes,
  tree: Tree,
  { module, field }: FieldChange,
  {
    required,
    replaced,
  }: {
    readonly required: string | undefined;
    readonly replaced: { name: string; from: string | undefined; to: string | undefined } | undefined;
  },
): void {
  const { table, plural } = module;
  const replacing = (expression: string | undefined) =>
    `await replaceCheck(queryRunner, '${table}', { name: '${replaced?.name}', expression: ${expression === undefined ? 'undefined' : textLiteral(expression)} });`;
  const kebab = kebabOf([field.name]);
  addMigration(changes, tree, `${replaced ? 'limit' : 'require-limits-of'}-${kebab}-of-${plural.kebab}`, {
    imports: [
      ...(replaced ? [`import { replaceCheck } from '../platform/database/driver/table-changes';`] : []),
      ...(required === undefined
        ? []
        : [`import { requireCheck } from '../platform/database/driver/requirements';`]),
    ]
      .map((line) => `${line}\n`)
      .join(''),
    up: [
      ...(required === undefined
        ? []
        : [`await requireCheck(queryRunner, '${table}', ['${field.column}'], ${textLiteral(required)});`]),
      ...(replaced ? [replacing(replaced.to)] : []),
    ].join('\n'),
    down: replaced ? replacing(replaced.from) : undefined,
  });
}
