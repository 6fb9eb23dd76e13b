import type { AdminRecords } from '../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../platform/values/int64';
import type { RecordsService } from '../records/records.service';
import type { StoredRecord } from '../records/stored-record';
import { manyOf } from '../records/record-names';
import { nameField } from '../records/record-title';

/** A number, with or without the name of its type: `3`, `#3`, `pet 3`, `order-items/3`. */
const NUMBER = /^(?:(\S.*?)[ /])?#?(\d{1,19})$/;

/** Inclusion of removed records. */
interface FindOptions {
  readonly removed: 'with' | 'without';
  readonly limit: number;
}

/**
 * Finds records by their number, and by the beginning of their name where names have an index: each query reads a few rows, so
 * its cost does not grow with the number of records.
 */
export async function findRecords(
  records: RecordsService,
  recordType: AdminRecords,
  text: string,
  { removed, limit }: FindOptions,
): Promise<StoredRecord[]> {
  const found = new Map<bigint, StoredRecord>();
  const add = (some: readonly StoredRecord[]) => some.forEach((each) => found.set(each.values.id, each));
  const id = numberIn(text, [recordType.name, manyOf(recordType), recordType.one]);
  if (id !== undefined)
    add(await records.search(recordType, { filter: { where: { id }, removed }, limit: 1 }));
  const name = nameField(recordType);
  if (name?.kind === 'text' && records.listFacts(recordType).orders.includes(name.name)) {
    const order = { by: name.name, descending: false };
    for (const prefix of spellings(text)) {
      const filter = { where: { [name.name]: { prefix } }, removed };
      add(await records.search(recordType, { filter, order, limit }));
    }
  }
  return [...found.values()].slice(0, limit);
}

/** The number in a text; undefined if there is no number, or if the text names another type. */
export function numberIn(text: string, names: readonly string[]): bigint | undefined {
  const [, name, digits = ''] = NUMBER.exec(text) ?? [];
  return name === undefined || names.includes(name.toLowerCase()) ? parseDecimalInt64(digits) : undefined;
}

/** Likely spellings of a name: an index is case-sensitive, and people type small letters. */
export function spellings(text: string): string[] {
  const lower = text.toLowerCase();
  const capital = lower.charAt(0).toUpperCase() + lower.slice(1);
  return [...new Set([text, lower, capital, text.toUpperCase()])];
}
