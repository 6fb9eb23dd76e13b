import type { EntityMetadata } from 'typeorm';
import { kindOfColumn, KINDS } from '../../values/kinds/kinds';
import type { Engine } from '../column-types';
import { readExactPlace } from './exact-place';
import type { BoundValue } from './row-values';
import { byCodePoints, indexedPart, textIndexesOf } from './text-index';

type ColumnMetadata = EntityMetadata['columns'][number];

/** Order of the rows of a list: by a column, and by the id where values are the same. */
export interface RowOrder<Column extends string = string> {
  /** A member of the entity. */
  readonly by: Column;
  readonly descending: boolean;
  /** Puts rows without a value first, for a list that is read backwards; unset, they come last in either direction. */
  readonly nullsFirst?: boolean;
}

/** The parameters of {@link afterPlace}. */
export const PLACE = { value: 'place_value', id: 'place_id' } as const;

/** Returns the SQL expressions that sort rows with the alias `row`. */
export function sortKeys(engine: Engine, metadata: EntityMetadata, by: string): string[] {
  return [...orderKeys(engine, metadata, by, `row.${by}`), ...(by === 'id' ? [] : ['row.id'])];
}

/**
 * The rows with a value, or those without one: the engines put them at different ends of a list, so each part is read by itself.
 * `ties` are the rows after a position that have its value, `beyond` those with a later value: see {@link partsAfter}.
 */
export type OrderPart = 'values' | 'nulls' | 'ties' | 'beyond';

/** Tells whether a part is one of the two of {@link partsAfter}, which both begin at the position. */
export function isSplit(part: OrderPart): boolean {
  return part === 'ties' || part === 'beyond';
}

/** Returns the parts of a list in an order. */
export function orderParts(metadata: EntityMetadata, { by, nullsFirst }: RowOrder): OrderPart[] {
  if (!metadata.findColumnWithPropertyName(by)?.isNullable) return ['values'];
  return nullsFirst ? ['nulls', 'values'] : ['values', 'nulls'];
}

/**
 * Returns the parts of a list from a position on, which is in a part. In an index on (value, id) SQLite finds the value of a position
 * but not the id: it would read all rows that have the value. So these come first, as a part of their own.
 */
export function partsAfter(
  engine: Engine,
  metadata: EntityMetadata,
  order: RowOrder,
  part: OrderPart,
): OrderPart[] {
  const parts = orderParts(metadata, order);
  const rest = parts.slice(parts.indexOf(part) + 1);
  const isInTwo = engine === 'sqlite' && part === 'values' && order.by !== 'id';
  return isInTwo ? ['ties', 'beyond', ...rest] : [part, ...rest];
}

/** The condition that rows with the alias `row` are of a part of a list. */
export function inPart(metadata: EntityMetadata, { by }: RowOrder, part: OrderPart): string {
  if (part === 'nulls') return `row.${by} IS NULL`;
  return metadata.findColumnWithPropertyName(by)?.isNullable ? `row.${by} IS NOT NULL` : '1 = 1';
}

/**
 * Returns the condition that rows with the alias `row` come after a position, in the part of a list where the position is. It
 * compares rows, for which PostgreSQL begins to read its index at the position, and SQLite at the value; for the same condition in
 * ORs PostgreSQL begins at the first row of the list.
 */
export function afterPlace(
  engine: Engine,
  metadata: EntityMetadata,
  { by, descending }: RowOrder,
  part: OrderPart,
): string {
  const beyond = descending ? '<' : '>';
  if (part === 'nulls') return `(row.${by} IS NULL AND row.id ${beyond} :${PLACE.id})`;
  if (part === 'ties') return `(row.${by} = :${PLACE.value} AND row.id ${beyond} :${PLACE.id})`;
  if (part === 'beyond') return `row.${by} ${beyond} :${PLACE.value}`;
  const place = [...(by === 'id' ? [] : orderKeys(engine, metadata, by, `:${PLACE.value}`)), `:${PLACE.id}`];
  return `(${sortKeys(engine, metadata, by).join(', ')}) ${beyond} (${place.join(', ')})`;
}

/** Returns the SQL expressions that sort by a value: before a text of any length there is the part of it that is in the index. */
export function orderKeys(engine: Engine, metadata: EntityMetadata, by: string, value: string): string[] {
  const isLongText = textIndexesOf(metadata).some(({ property }) => property === by);
  return isLongText ? [...new Set([indexedPart(engine, value), byCodePoints(engine, value)])] : [value];
}

/** Returns the value of a column for a cursor: text, or null without a value. */
export function orderText(value: BoundValue): string | null {
  if (value === null || value === undefined) return null;
  return value instanceof Date ? value.toISOString() : String(value);
}

/** The value of a column that {@link orderText} made text of; undefined when it did not: clients can write cursors themselves. */
export function readOrderValue(column: ColumnMetadata, text: string): BoundValue {
  const exact = readExactPlace(column.type, text);
  if (exact !== undefined) return exact;
  const value = parsed(column, text);
  return value !== undefined && orderText(value) === text ? value : undefined;
}

function parsed({ type, precision, scale }: ColumnMetadata, text: string): BoundValue {
  const { fromText } = kindOfColumn(type) ?? KINDS.text;
  return fromText(text, { precision: precision ?? 0, scale: scale ?? 0 }) as BoundValue;
}
