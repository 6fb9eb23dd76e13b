import ts from 'typescript';
import { decoratorName, decoratorsOf } from '../edit/classes.ts';
import { checkOf } from '../feature/field-code.ts';
import type { LinkedField } from '../feature/references.ts';
import type { ExistingModule } from '../module/existing-module.ts';

/** The least and the greatest value of a field, or length of a text, if it has any. */
export interface Limits {
  readonly min: string | undefined;
  readonly max: string | undefined;
}

/** A check of the entity on a column. */
export interface ColumnCheck {
  readonly decorator: ts.Decorator;
  readonly expression: string;
  /** Undefined if the condition is another than the generator writes. */
  readonly limits: Limits | undefined;
}

/** A field with other limits. */
export function withLimits(field: LinkedField, { min, max }: Limits): LinkedField {
  return { ...field, options: { ...field.options, min, max } };
}

/** The condition that the generator writes for a field; undefined if none is needed. */
export function conditionOf(field: LinkedField): string | undefined {
  return checkOf(field) || undefined;
}

/** The name of the check that the generator writes for a column. */
export function checkName({ table }: ExistingModule, column: string): string {
  return `chk_${table}_${column}`;
}

/** The check of the entity on the column of a field. */
export function columnCheck(module: ExistingModule, field: LinkedField): ColumnCheck | undefined {
  for (const decorator of decoratorsOf(module.entity.node)) {
    if (decoratorName(decorator) !== 'Check' || !ts.isCallExpression(decorator.expression)) continue;
    const [name, condition] = decorator.expression.arguments;
    if (!name || !condition || !ts.isStringLiteralLike(name) || !ts.isStringLiteralLike(condition)) continue;
    if (name.text !== checkName(module, field.column)) continue;
    return { decorator, expression: condition.text, limits: limitsIn(field, condition.text) };
  }
  return undefined;
}

/** The limits of a condition, if it is one of the generator's. */
function limitsIn(field: LinkedField, condition: string): Limits | undefined {
  const numbers = condition.match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi) ?? [];
  const [first, second] = numbers.slice(-2);
  const candidates: Limits[] = [
    { min: first, max: second },
    { min: numbers.at(-1), max: undefined },
    { min: undefined, max: numbers.at(-1) },
  ];
  return candidates.find((limits) => conditionOf(withLimits(field, limits)) === condition);
}

/** Limits within which all values of both are. */
export function loosest(first: Limits, second: Limits): Limits {
  return {
    min: isLess(second.min, first.min, -Infinity) ? second.min : first.min,
    max: isLess(first.max, second.max, Infinity) ? second.max : first.max,
  };
}

/** True if some values within the first limits are outside the second ones. */
export function isNarrower(limits: Limits, than: Limits): boolean {
  return isLess(than.min, limits.min, -Infinity) || isLess(limits.max, than.max, Infinity);
}

/** @param none the value of a limit that is not given */
function isLess(first: string | undefined, second: string | undefined, none: number): boolean {
  return Number(first ?? none) < Number(second ?? none);
}
