import type { EntityMetadata } from 'typeorm';
import { parseDecimalInt64 } from '../values/int64';
import { readDate, readDateTime, readUuid } from '../values/text-formats';
import type { BoundValue } from './row-values';

type ColumnMetadata = EntityMetadata['columns'][number];

/** The value of a column as a cursor has it: text, null for none. */
export function orderText(value: BoundValue): string | null {
  if (value === null || value === undefined) return null;
  return value instanceof Date ? value.toISOString() : String(value);
}

/** The value of a column that {@link orderText} made text of; undefined when it did not: clients can write cursors themselves. */
export function readOrderValue({ type }: ColumnMetadata, text: string): BoundValue {
  const value = parsed(type, text);
  return value !== undefined && orderText(value) === text ? value : undefined;
}

function parsed(type: ColumnMetadata['type'], text: string): BoundValue {
  switch (type) {
    case 'bigint':
      return parseDecimalInt64(text);
    case 'integer':
      return Number(text) | 0;
    case 'double precision':
      return Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true';
    case 'date':
      return readDate(text);
    case 'uuid':
      return readUuid(text);
    case Date:
      return readDateTime(text);
    default:
      // PostgreSQL takes no text with this character.
      return text.includes('\0') ? undefined : text;
  }
}
