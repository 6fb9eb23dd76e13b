import type { AdminRecords } from '../../../../platform/features/admin-records';
import { fieldsOf, type RecordField } from '../../../records/record-fields';
import { parseDecimalInt64 } from '../../../../platform/values/int64';
import type { FieldTexts } from '../../../records/record-values';
import type { RecordsService } from '../../../records/records.service';
import type { RecordValues } from '../../../records/stored-record';
import type { Option } from '../../ui/fields';
import { type ListColumn, type ListRow, listColumns, listRows } from '../list/list-table';
import { readListQuery } from '../list/list-query';
import { titleOf } from '../../../records/record-names';
import { listPath } from '../record-paths';
import { nameField, recordTitle } from '../../../records/record-title';
import { type ValueView, valueView } from '../fields/value-html';

/** Number of records of one type that a page shows as referring to its record. */
const SHOWN = 5;

/** Number of records that a form suggests for a reference; a script finds others, or they are typed by their id. */
const OFFERED = 100;

/** Records that refer to the record of a page. */
export interface RelatedRecords {
  readonly title: string;
  readonly columns: readonly ListColumn[];
  readonly rows: readonly ListRow[];
  /** Address of the list of all of them. */
  readonly path: string;
}

/** Builds a {@link valueView} that knows the names of the records that the shown ones refer to. */
export async function viewWithNames(
  records: RecordsService,
  reader: { readonly timeZone: string },
  recordType: AdminRecords,
  shown: readonly RecordValues[],
): Promise<ValueView> {
  const names = new Map<string, string>();
  for (const { field, referred } of references(records, recordType)) {
    const ids = [...new Set(shown.map((values) => values[field.name]))].filter(
      (id) => typeof id === 'bigint',
    );
    if (ids.length === 0 || !nameField(referred)) continue;
    const filter = { ids, removed: 'with' } as const;
    for (const record of await records.search(referred, { filter, limit: ids.length })) {
      names.set(`${referred.name}/${record.values.id}`, recordTitle(referred, record));
    }
  }
  return { ...valueView(records.recordTypes, reader), names };
}

/** The newest records of every type that refers to a record, such as the orders of a pet. Uses only fields with an index. */
export async function relatedRecords(
  records: RecordsService,
  reader: { readonly timeZone: string },
  recordType: AdminRecords,
  id: bigint,
): Promise<RelatedRecords[]> {
  const related: RelatedRecords[] = [];
  for (const other of records.recordTypes) {
    const facts = records.listFacts(other);
    for (const { field, referred } of references(records, other)) {
      if (referred !== recordType || !facts.orders.includes(field.name)) continue;
      const request = {
        filter: { where: { [field.name]: id } },
        order: { by: 'id', descending: true },
        limit: SHOWN,
      };
      const found = await records.search(other, request);
      if (found.length === 0) continue;
      const values = found.map((record) => record.values);
      const columns = listColumns(facts, readListQuery(facts, new URLSearchParams()));
      related.push({
        title: titleOf(other),
        columns: columns.map((column) => ({ ...column, sort: undefined })),
        rows: listRows(facts, found, await viewWithNames(records, reader, other, values)),
        path: `${listPath(other)}?${field.name}=${id}`,
      });
    }
  }
  return related;
}

/**
 * Suggestions for the fields of a form that refer to other records: the newest records, by their names, and the one that is
 * typed.
 *
 * @param newest number of the newest records
 */
export async function offeredReferences(
  records: RecordsService,
  fields: readonly RecordField[],
  texts: FieldTexts,
  newest = OFFERED,
): Promise<ReadonlyMap<string, readonly Option[]>> {
  const offered = new Map<string, readonly Option[]>();
  for (const field of fields) {
    const referred = records.recordTypes.find(({ name }) => name === field.refersTo);
    if (!referred || field.kind === 'array') continue;
    const order = { by: 'id', descending: true };
    const found = newest > 0 ? await records.search(referred, { order, limit: newest }) : [];
    const typed = parseDecimalInt64(texts[field.name] ?? '');
    if (typed !== undefined && !found.some(({ values }) => values.id === typed))
      found.push(
        ...(await records.search(referred, { filter: { ids: [typed], removed: 'with' }, limit: 1 })),
      );
    const options = found.map((record) => ({
      value: String(record.values.id),
      label: recordTitle(referred, record),
    }));
    offered.set(field.name, options);
  }
  return offered;
}

/** The fields of a record type that refer to records, with the type they refer to. */
function references(records: RecordsService, { record }: AdminRecords) {
  return fieldsOf(record).flatMap((field) => {
    const referred = records.recordTypes.find(({ name }) => name === field.refersTo);
    return referred ? [{ field, referred }] : [];
  });
}
