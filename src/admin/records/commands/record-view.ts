import { InvalidArgumentError } from 'commander';
import type { AdminRecords } from '../../../platform/features/admin-records';
import type { Table } from '../../../platform/cli/table-layout';
import { exactJson } from '../../../platform/values/exact-json';
import { fieldsOf } from '../record-fields';
import type { StoredRecord } from '../stored-record';

/** Cell of a value that is not set. */
const NOT_SET = '-';

/**
 * Converts a record to JSON: the members of the interface, with their types, and what operators need besides. Members of the
 * interface that are not set are left out, as there; the others are always present.
 */
export function recordJson({ values, createdAt, removedAt, version }: StoredRecord): object {
  return {
    ...values,
    createdAt: createdAt ?? null,
    removedAt: removedAt ?? null,
    version: shownVersion(version),
  };
}

/** Removes the quotation marks of a version, which a shell would take away. */
function shownVersion(version: string): string {
  return version.slice(1, -1);
}

/** Reads a version as it is shown, or with its quotation marks. @throws InvalidArgumentError */
export function readVersion(text: string): string {
  const [, bare] = /^"?([\w-]+)"?$/.exec(text) ?? [];
  if (bare === undefined) throw new InvalidArgumentError('Copy the version from the output of show.');
  return `"${bare}"`;
}

/** Shows records as a table, one line each. */
export function recordsTable({ record }: AdminRecords, records: readonly StoredRecord[]): Table {
  const fields = fieldsOf(record);
  const labels = fields.map(({ label }) => label.toUpperCase());
  return {
    header: [...labels, 'ADDED', 'REMOVED'],
    spare: ['ADDED', ...labels.slice(2).reverse()],
    rows: records.map(({ values, createdAt, removedAt }) =>
      [...fields.map(({ name }) => values[name]), createdAt, removedAt].map(cellOf),
    ),
  };
}

/** Shows one record as a table, one line a member. */
export function recordTable(record: StoredRecord): Table {
  return {
    header: ['FIELD', 'VALUE'],
    rows: Object.entries(recordJson(record)).map(([name, value]) => [name, cellOf(value)]),
  };
}

/** The text of a value; a dash if it is not set. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return NOT_SET;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : exactJson(value);
}
