import type { Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import type { Changes } from '../edit/changes.ts';
import type { EnumMember } from '../feature/field-enum.ts';
import type { LinkedField } from '../feature/references.ts';
import type { ExistingModule } from '../module/existing-module.ts';
import { Refusal } from '../refusal.ts';
import { nodesOf } from '../text/sources.ts';
import { addStep, editCheck, type FieldChange } from './database-step.ts';
import { checkName, columnCheck, conditionOf } from './limits.ts';

/**
 * Gives the enum of a field the values that are asked for. The database takes a new one at once; one that goes must be in no row,
 * and the database refuses it two releases later, when no node takes it any more.
 *
 * @returns sentences for the person who runs the command
 * @throws Refusal
 */
export function changeValues(changes: Changes, tree: Tree, change: FieldChange): string[] {
  const { module, field, before, steps } = change;
  const { name } = field;
  const [wanted, present] = [field.enum?.members ?? [], before.enum?.members ?? []];
  const added = wanted.filter((each) => !has(present, each));
  const gone = present.filter((each) => !has(wanted, each));
  if (wanted.length > 0 && gone.length === present.length) {
    throw new Refusal(
      `The field ${name} of ${module.plural.kebab} would have none of its values any more: keep one of ${valuesOf(present)}.`,
    );
  }
  const isChanged = added.length + gone.length > 0;
  if (isChanged) editEnum(changes, module, before, { added, gone });
  const remarks = isChanged
    ? [
        `${name}: ${[...added.map((each) => `+ ${each.value}`), ...gone.map((each) => `- ${each.value}`)].join(', ')}`,
      ]
    : [];
  const check = columnCheck(module, field);
  if (!field.enum || !check) return remarks;
  const checked = [...check.expression.matchAll(/'([^']*)'/g)].map(([, value = '']) => value);
  const former = checked.filter((value) => !wanted.some((each) => each.value === value));
  const isLast = !isChanged && former.length > 0;
  const waiting = isLast ? steps.waiting('was narrowed') : undefined;
  if (waiting !== undefined) return [waiting];
  const kept = former.map((value) => ({ name: value, value, label: undefined }));
  const next = conditionOf({
    ...field,
    enum: { ...field.enum, members: isLast ? wanted : [...wanted, ...kept] },
  });
  const isReplaced = (isLast || added.length > 0) && next !== check.expression;
  const checkedBy = checkName(module, field.column);
  if (isReplaced) editCheck(changes, module, { name: checkedBy, check, expression: next });
  if (isReplaced || gone.length > 0) {
    addStep(changes, tree, change, {
      required: gone.length > 0 || isLast ? conditionOf(field) : undefined,
      replaced: isReplaced ? { name: checkedBy, from: check.expression, to: next } : undefined,
    });
  }
  if (gone.length === 0) {
    if (former.length === 0 || isLast) steps.end();
    return remarks;
  }
  steps.note();
  return [
    ...remarks,
    `The migration refuses ${module.plural.words} with a value that goes, and names them. Run the same command again for ${steps.next()} or later: then the database refuses it as well.`,
  ];
}

function valuesOf(members: readonly EnumMember[]): string {
  return members.map(({ value }) => value).join(', ');
}

function has(members: readonly EnumMember[], { value }: EnumMember): boolean {
  return members.some((each) => each.value === value);
}

function editEnum(
  changes: Changes,
  { folder, sources }: ExistingModule,
  field: LinkedField,
  { added, gone }: { readonly added: readonly EnumMember[]; readonly gone: readonly EnumMember[] },
): void {
  const lines = added.map(({ name, value }) => `${name} = '${value}'`);
  const declared = sources
    .flatMap((source) => nodesOf(source))
    .filter((node) => ts.isEnumDeclaration(node))
    .find(({ name }) => name.text === field.enum?.name);
  const kept = declared?.members.filter(({ initializer }) => !isOneOf(gone, initializer)).at(-1);
  if (!declared || !kept) {
    const removed = gone.map(({ name }) => `no ${name}`);
    changes.leaveByHand(`${folder}/${field.enum?.file}.ts`, `in the enum of ${field.name}`, [
      ...lines,
      ...removed,
    ]);
    return;
  }
  const edit = changes.edit(declared.getSourceFile().fileName);
  if (lines.length > 0) edit.insert(kept.end, `, ${lines.join(', ')}`);
  for (const member of declared.members) {
    if (isOneOf(gone, member.initializer)) edit.removeElement(declared.members, member);
  }
}

function isOneOf(members: readonly EnumMember[], node: ts.Expression | undefined): boolean {
  return (
    node !== undefined && ts.isStringLiteralLike(node) && members.some(({ value }) => value === node.text)
  );
}
