import { entityTag } from '../../platform/http/request/conditional';
import { exactJson } from '../../platform/values/exact-json';
import { fieldsOf } from './record-fields';
import type { ExactPlace } from '../../platform/database/statements/exact-place';
import type { AdminRecords } from '../../platform/features/admin-records';

/** Values of a record by field, in the DTO's types; values that are not set are left out. */
export type RecordValues = Readonly<Record<string, unknown>> & { readonly id: bigint };

/** Exact places of a record, by the member that a list is ordered by. */
export type ExactPlaces = Readonly<Record<string, ExactPlace>>;

/** A record as the admin tooling sees it. */
export interface StoredRecord {
  readonly values: RecordValues;
  /** Undefined if it is not kept, or unknown for this record. */
  readonly createdAt: Date | undefined;
  /** Undefined if the record has not been removed. */
  readonly removedAt: Date | undefined;
  /** Values by which it has its place in orders, where the database has more digits of them. */
  readonly places?: ExactPlaces;
  /** Changes with every change of the values. A caller that sends it along changes only the values it has seen. */
  readonly version: string;
}

/** Picks the documented values of a row or a DTO, in the order of the document. */
export function recordValues({ record }: Pick<AdminRecords, 'record'>, from: object): RecordValues {
  const source = from as Record<string, unknown>;
  const entries = fieldsOf(record)
    .map(({ name }) => [name, source[name]] as const)
    .filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as unknown as RecordValues;
}

/** The version of a record with these values. */
export function versionOf(values: RecordValues): string {
  return entityTag(exactJson(values));
}

/** Converts a row to a record. */
export function storedRecord(
  records: Pick<AdminRecords, 'record'>,
  row: object,
  places: ExactPlaces = {},
): StoredRecord {
  const { createdAt, removedAt } = row as { createdAt?: Date | null; removedAt?: Date | null };
  const values = recordValues(records, row);
  let version: string | undefined;
  return {
    values,
    createdAt: createdAt ?? undefined,
    removedAt: removedAt ?? undefined,
    places,
    // Most of what an export would do for a record, and it writes none.
    get version() {
      return (version ??= versionOf(values));
    },
  };
}
