import { parseDecimalInt64 } from '../../../../platform/values/int64';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { readDateTime } from '../../../../platform/values/text-formats';
import {
  type ExactPlace,
  exactPlaceText,
  readExactPlace,
} from '../../../../platform/database/statements/exact-place';
import { kindNamed } from '../../../../platform/values/kinds/kinds';
import { fieldNamed } from '../../../records/record-fields';
import { positionOf, type RecordOrder, type RecordPosition } from '../../../records/list-request';
import { readValues } from '../../../records/record-values';
import { InvalidRecordError } from '../../../records/records.errors';
import type { StoredRecord } from '../../../records/stored-record';
import { textOf } from '../../../records/value-text';

/**
 * Length of the longest value in a cursor, in characters: an address has 8,000 bytes, and each character takes up to six of
 * them.
 */
const MAX_VALUE = 500;

/** The beginning or the end of a page of a list. It has only the id if the value is too long for an address. */
export type ReadPosition = RecordPosition | { readonly id: bigint };

/** Builds the {@link positionCursor} of a record in an order. */
export function recordCursor(record: StoredRecord, order: RecordOrder): string {
  return positionCursor(positionOf(record, order));
}

/**
 * Writes a position in an order for the address of another page: base64url of the JSON `[id, value]`, with the value as text,
 * or null if it is not set. For a long value it is `[id]`.
 */
export function positionCursor({ id, value, exact }: RecordPosition): string {
  const text = exact !== undefined ? exactPlaceText(exact) : value === null ? null : textOf(value);
  const position = text !== null && text.length > MAX_VALUE ? [String(id)] : [String(id), text];
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Reads the position that a cursor names in an order of these records; returns undefined if the cursor is invalid. */
export function readPosition(
  cursor: string,
  recordType: AdminRecords,
  order: RecordOrder,
): ReadPosition | undefined {
  const [idText, text, ...more] = parts(cursor);
  const id = typeof idText === 'string' ? parseDecimalInt64(idText) : undefined;
  if (id === undefined || more.length > 0) return undefined;
  if (text === undefined) return { id };
  if (text === null) return { id, value: null };
  if (typeof text !== 'string') return undefined;
  const exact = exactIn(recordType, order, text);
  if (exact !== undefined) return { id, value: exact, exact };
  const value = valueIn(recordType, order, text);
  return value === undefined ? undefined : { id, value };
}

function parts(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function exactIn({ record }: AdminRecords, { by }: RecordOrder, text: string): ExactPlace {
  const kind = by === 'createdAt' ? 'date-time' : fieldNamed(record, by)?.kind;
  if (kind === undefined || kind === 'array') return undefined;
  return readExactPlace(kindNamed(kind).column?.type, text);
}

function valueIn({ record }: AdminRecords, { by }: RecordOrder, text: string): unknown {
  if (by === 'createdAt') return readDateTime(text);
  // Elsewhere an empty text means no value.
  if (text === '') return '';
  try {
    return (readValues(record, { [by]: text }) as Record<string, unknown>)[by];
  } catch (error) {
    if (error instanceof InvalidRecordError) return undefined;
    throw error;
  }
}
