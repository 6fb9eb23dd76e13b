import type { EntityMetadata } from 'typeorm';
import { kindOfColumn } from '../../values/kinds/kinds';
import { readDateTime } from '../../values/text-formats';
import type { Engine } from '../column-types';
import { INFINITE_INSTANTS } from '../stored-instant';

type ColumnMetadata = EntityMetadata['columns'][number];

/**
 * Value of a row by which it has its place in an order, as the database has it: other writers may have stored more digits than
 * the value of the entity has. A page that ended at the value of the entity would repeat rows, or leave some out.
 */
export type ExactPlace = string | number | undefined;

/** Name of the exact place of a row in the rows of a page. */
export const EXACT_PLACE = 'exact_place';

/** Whole milliseconds, as this service stores them: by `to_char` of PostgreSQL, and in SQLite. */
const WHOLE = /\.\d{3}000Z$|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/;
/** An instant of PostgreSQL that is no whole millisecond. */
const MICROSECONDS = /\.\d{3}(?!000)\d{3}Z$/;
/** An instant of SQLite, where other writers may have stored it in these forms. */
const OTHER_FORM = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)Z?$/;
/** A decimal of SQLite, where it may have any number of digits. */
const NUMBER = /^-?\d+(\.\d+)?(e[+-]\d+)?$/;

/** Begins the text of what the value of an entity does not say: without it the text would be that of another value. */
const STORED = '=';

/** Returns the SQL of the exact place of a row with the alias `row`; undefined if the value of the entity always is. */
export function exactPlaceSql(engine: Engine, metadata: EntityMetadata, by: string): string | undefined {
  const type = metadata.findColumnWithPropertyName(by)?.type;
  if (type === Date) {
    return engine === 'postgres' ? instantText(`row.${by}`) : `CAST(row.${by} AS TEXT)`;
  }
  if (type === 'date' && engine === 'postgres')
    return `CASE WHEN NOT isfinite(row.${by}) THEN CAST(row.${by} AS text) END`;
  return engine === 'sqlite' && isDecimal(type) ? `CAST(row.${by} AS REAL)` : undefined;
}

/** Returns the SQL of an instant of PostgreSQL as text, in UTC; `to_char` has none for `infinity`. */
export function instantText(value: string): string {
  const text = `to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  return `COALESCE(${text}, CAST(${value} AS text))`;
}

/** Returns what that SQL has read; undefined if it says no more than the value of the entity. */
export function exactPlace(column: ColumnMetadata | undefined, read: unknown): ExactPlace {
  if (typeof read === 'string') return WHOLE.test(read) ? undefined : read;
  if (typeof read !== 'number') return undefined;
  return Number(read.toFixed(column?.scale ?? 0)) === read ? undefined : read;
}

/** Returns the text of an exact place for a cursor. */
export function exactPlaceText(place: string | number): string {
  return typeof place === 'string' && MICROSECONDS.test(place) ? place : STORED + String(place);
}

/**
 * Reads the text of {@link exactPlaceText}; undefined for that of a value, and for what a client has made up.
 *
 * @param type of the column, as TypeORM has it
 */
export function readExactPlace(type: unknown, text: string): ExactPlace {
  if (type === Date && MICROSECONDS.test(text)) return readDateTime(text) && text;
  if (!text.startsWith(STORED)) return undefined;
  const stored = text.slice(STORED.length);
  if (type === Date) {
    const isInstant = INFINITE_INSTANTS.has(stored) || readDateTime(stored.replace(OTHER_FORM, '$1T$2Z'));
    return isInstant ? stored : undefined;
  }
  if (type === 'date') return INFINITE_INSTANTS.has(stored) ? stored : undefined;
  return isDecimal(type) && NUMBER.test(stored) ? Number(stored) : undefined;
}

/** Returns the milliseconds of an exact place that is an instant. */
export function millisecondsOf(place: string): number {
  return INFINITE_INSTANTS.get(place) ?? Date.parse(place.replace(OTHER_FORM, '$1T$2Z'));
}

function isDecimal(type: unknown): boolean {
  return kindOfColumn(type)?.column.comparedAs !== undefined;
}
