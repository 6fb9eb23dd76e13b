import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import type { KindColumn } from '../../values/kinds/kind';
import { kindOfColumn } from '../../values/kinds/kinds';
import type { Filter } from '../../validation/list-filters';
import type { Engine } from '../column-types';
import { containing, contains } from './contains';
import { millisecondsOf } from './exact-place';
import type { FilterValue } from './page';
import type { BoundValue } from './row-values';
import { indexedPart, textIndexesOf } from './text-index';

/** Conditions on a column: a row has to meet all that are set. Rows without a value meet none. */
export interface Condition<Value = FilterValue> {
  /** One of these. */
  readonly in?: readonly Value[] | undefined;
  /** This value or a greater one. */
  readonly from?: Value | undefined;
  /** This value or a lesser one. */
  readonly to?: Value | undefined;
  /** A lesser value. */
  readonly before?: Value | undefined;
  /**
   * A text that the value begins with, far shorter than the part in an index; for columns with an index of `createTextIndex()`.
   */
  readonly prefix?: string | undefined;
  /** A text that the value has in it, in any letter case. No index finds such rows. */
  readonly contains?: string | undefined;
  /** False for rows without a value, which then meet this condition alone. */
  readonly isSet?: false | undefined;
}

/** Conditions on rows, by the members of their entity: a value or a {@link Condition}; an undefined one does not count. */
export type Where<Entity extends ObjectLiteral> = {
  readonly [Name in keyof Entity]?: Entity[Name] | Condition<NonNullable<Entity[Name]>> | undefined;
};

/** The comparisons with one value, by their operator; `end` is where texts with a prefix end. */
const OPERATORS = { is: '=', from: '>=', to: '<=', before: '<', prefix: '>=', end: '<' } as const;

export type Comparison = keyof typeof OPERATORS | 'in' | 'contains' | 'unset';

/** One comparison of a column with values, for a statement that is prepared without them. */
export interface Term {
  /** A member of the entity. */
  readonly name: string;
  readonly comparison: Comparison;
  /** Values to compare the column with: one; any number for `in`; none for `unset`. */
  readonly values: readonly BoundValue[];
}

/** Returns the comparisons of the conditions on rows. */
export function termsOf(where: Readonly<Record<string, unknown>>): Term[] {
  const terms: Term[] = [];
  for (const name in where) {
    const wanted = where[name];
    if (wanted === undefined) continue;
    if (isCondition(wanted)) addTerms(terms, name, wanted);
    else terms.push({ name, comparison: 'is', values: [wanted as BoundValue] });
  }
  return terms;
}

function addTerms(terms: Term[], name: string, condition: Condition): void {
  const { in: some, from, to, before, prefix, contains: part, isSet } = condition;
  const add = (comparison: Comparison, ...values: BoundValue[]) => terms.push({ name, comparison, values });
  if (some?.length === 1) add('is', some[0]);
  // Sorted, so that a cursor is the same in whatever order a client names them.
  else if (some) add('in', ...some.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1)));
  if (from !== undefined) add('from', from);
  if (to !== undefined) add('to', to);
  if (before !== undefined) add('before', before);
  if (part !== undefined) add('contains', containing(part));
  if (isSet === false) add('unset');
  if (prefix === undefined) return;
  add('prefix', prefix);
  const end = endOfPrefix(prefix);
  if (end !== undefined) add('end', end);
}

/** Tells whether a comparison leaves the rows of one value, or those without a value. */
export function isExact({ comparison }: Term): boolean {
  return comparison === 'is' || comparison === 'unset';
}

/** Tells whether the rows that a comparison leaves lie side by side in an index on its member. */
export function isStretch({ comparison }: Term): boolean {
  return comparison !== 'in' && comparison !== 'contains';
}

/** Tells whether rows are restricted by a condition rather than one value. */
export function isCondition(wanted: unknown): wanted is Condition {
  return typeof wanted === 'object' && wanted !== null && !(wanted instanceof Date);
}

/** Returns the conditions on rows, by field, of the filters that have a value. */
export function conditionsOf(
  filters: readonly Filter[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const where: Record<string, unknown> = {};
  for (const { name, field, operator = 'is' } of filters) {
    const value = values[name];
    if (value === undefined) continue;
    if (operator === 'is' && where[field] === undefined) where[field] = value;
    else
      addCondition(where, field, operator === 'is' ? { in: [value as FilterValue] } : { [operator]: value });
  }
  return where;
}

/** Adds a condition to those of a field, of which a row meets all. */
export function addCondition(where: Record<string, unknown>, field: string, condition: Condition): void {
  const before = where[field];
  const others = before === undefined || isCondition(before) ? before : { in: [before] };
  where[field] = { ...others, ...condition };
}

/** Returns the comparisons for a cursor; one with a single value has the name of its member. */
export function filterOfTerms(terms: readonly Term[]): Record<string, string> {
  const filter: Record<string, string> = {};
  for (const { name, comparison, values } of terms) {
    if (comparison === 'is') filter[name] = textOf(values[0]);
    else filter[`${name} ${comparison}`] = JSON.stringify(values.map(textOf));
  }
  return filter;
}

function textOf(value: BoundValue): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Returns everything that the statement of some comparisons depends on: all but their values. */
export function shapeOf(terms: readonly Term[]): string {
  let shape = '';
  for (const term of terms) shape += `${term.name} ${term.comparison} ${placesOf(term)},`;
  return shape;
}

/**
 * Returns the number of parameters of a comparison: a power of two, so that there are few statements. The last value fills the
 * rest.
 */
function placesOf({ values: { length } }: Term): number {
  return length < 2 ? length : 2 ** Math.ceil(Math.log2(length));
}

/** The values of comparisons by the names of their parameters. */
export function valuesOfTerms(terms: readonly Term[]): Record<string, BoundValue> {
  const values: Record<string, BoundValue> = {};
  for (const term of terms) {
    for (let place = 0; place < placesOf(term); place++) {
      values[parameterOf(term, place)] = term.values[Math.min(place, term.values.length - 1)];
    }
  }
  return values;
}

function parameterOf({ name, comparison }: Term, place: number): string {
  return `where_${name}_${comparison}_${place}`;
}

/** The parameters of a comparison, for its values in their order. */
export function termParameters(term: Term): string[] {
  return Array.from({ length: placesOf(term) }, (_, place) => parameterOf(term, place));
}

/** The SQL of a column of a row, as comparisons have it. */
export type ColumnSql = (name: string) => string;

/** The condition of one comparison. */
export function conditionOf(engine: Engine, metadata: EntityMetadata, term: Term, column: ColumnSql): string {
  const { name, comparison } = term;
  const parameters = termParameters(term).map((parameter) => valueSql(engine, metadata, name, parameter));
  if (comparison === 'in') {
    return parameters.length > 0 ? `${column(name)} IN (${parameters.join(', ')})` : '1 = 0';
  }
  if (comparison === 'unset') return `${column(name)} IS NULL`;
  if (comparison === 'contains') {
    return contains(metadata.dataSource, column(name), termParameters(term)[0] as string);
  }
  return comparisonOf(engine, metadata, term, column).join(' ');
}

/** Returns the SQL of a column, of an operator and of the value of a comparison with one value. */
export function comparisonOf(
  engine: Engine,
  metadata: EntityMetadata,
  term: Term,
  column: ColumnSql,
): string[] {
  const { name, comparison } = term;
  const isPrefix = comparison === 'prefix' || comparison === 'end';
  const isBeginning = isPrefix && textIndexesOf(metadata).some(({ property }) => property === name);
  const compared = isBeginning ? indexedPart(engine, column(name)) : column(name);
  const value = valueSql(engine, metadata, name, termParameters(term)[0] as string);
  return [compared, OPERATORS[comparison as keyof typeof OPERATORS], value];
}

/**
 * The condition of a comparison with the column that a list is sorted by first. PostgreSQL drops a column from the order that is
 * compared by =, and may then walk through the rows by their ids, because it expects rows with the value to be spread evenly: where
 * only the newest rows have the value, it would read the whole table. IN leaves it no index but those that begin with the column.
 */
export function leadingConditionOf(
  engine: Engine,
  metadata: EntityMetadata,
  term: Term,
  column: ColumnSql,
): string {
  if (term.comparison !== 'is') return conditionOf(engine, metadata, term, column);
  return hasValue(engine, metadata, term.name, column(term.name), termParameters(term)[0] as string);
}

/**
 * The condition that a column has the value of a parameter, as {@link leadingConditionOf} has it.
 *
 * @param column SQL of the column
 */
export function hasValue(
  engine: Engine,
  metadata: EntityMetadata,
  name: string,
  column: string,
  parameter: string,
): string {
  const value = valueSql(engine, metadata, name, parameter);
  const isWhole = `${column} = ${value}`;
  if (engine === 'sqlite') return isWhole;
  const isLongText = textIndexesOf(metadata).some(({ property }) => property === name);
  const [indexed, part] = isLongText
    ? [indexedPart(engine, column), indexedPart(engine, value)]
    : [column, value];
  // Twice: PostgreSQL makes = of an IN with a single value.
  const isIndexed = `${indexed} IN (${part}, ${part})`;
  return isLongText ? `${isIndexed} AND ${isWhole}` : isIndexed;
}

/** Returns the SQL of a value: a decimal is bound as text, and compared as a number. */
function valueSql(engine: Engine, metadata: EntityMetadata, name: string, parameter: string): string {
  const cast = comparedAs(metadata, name);
  return cast ? `CAST(:${parameter} AS ${cast[engine]})` : `:${parameter}`;
}

/** Tells whether a member is a decimal: a text that stands for a number. */
export function isDecimal(metadata: EntityMetadata, name: string): boolean {
  return comparedAs(metadata, name) !== undefined;
}

function comparedAs(metadata: EntityMetadata, name: string): KindColumn['comparedAs'] {
  return kindOfColumn(metadata.findColumnWithPropertyName(name)?.type)?.column.comparedAs;
}

/** Comparisons that a value can be too small for, then those that it can be too great for. */
const LOWER: readonly Comparison[] = ['from', 'prefix'];
const UPPER: readonly Comparison[] = ['to', 'before', 'end'];

/** Returns the comparisons that every later row satisfies if the row at the cursor does. */
export function metByPlace(terms: readonly Term[], by: string, descending: boolean): Term[] {
  const met = descending ? UPPER : LOWER;
  return terms.filter(({ name, comparison }) => name === by && met.includes(comparison));
}

/**
 * Tells whether a value meets one of the comparisons of {@link metByPlace}.
 *
 * @param isNumber true if both are decimals, which a double tells apart
 */
export function meets(value: BoundValue, { comparison, values }: Term, isNumber: boolean): boolean {
  const [a, b] = isNumber
    ? [Number(value), Number(values[0])]
    : [comparable(value, values[0]), comparable(values[0], values[0])];
  if (LOWER.includes(comparison)) return a >= b;
  return comparison === 'to' ? a <= b : a < b;
}

/** Returns a value that JavaScript compares as the engines do: texts by their code points, instants by their milliseconds. */
function comparable(value: BoundValue, like: BoundValue): number | bigint | string {
  if (like instanceof Date) return value instanceof Date ? value.getTime() : millisecondsOf(String(value));
  if (typeof value === 'string') return Buffer.from(value).toString('latin1');
  return value as number | bigint;
}

/** Returns the least text that is greater than all with a prefix, by code points; undefined when there is no such text. */
function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // The values between are halves of characters, and no characters.
  return String.fromCodePoint(...points, last === BEFORE_SURROGATES ? AFTER_SURROGATES : last + 1);
}

const LAST_CODE_POINT = 0x10ffff;
const BEFORE_SURROGATES = 0xd7ff;
const AFTER_SURROGATES = 0xe000;
