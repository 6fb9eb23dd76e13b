import type { AdminRecords } from '../../platform/features/admin-records';
import { fieldNamed, type RecordField } from './record-fields';
import type { StoredRecord } from './stored-record';
import { choiceInWords, shortened, textOf } from './value-text';

/** The name of a record in one line: its title, or its type and id. */
export function recordTitle(recordType: AdminRecords, record: StoredRecord): string {
  const field = titleField(recordType, record);
  if (field?.name === 'id' || !field) {
    return `${recordType.one.charAt(0).toUpperCase()}${recordType.one.slice(1)} ${record.values.id}`;
  }
  const text = textOf(record.values[field.name]);
  return field.kind === 'enum' ? choiceInWords(field, text) : shortened(text);
}

/** The field with a record's name; its id if that field is blank. */
export function titleField(recordType: AdminRecords, { values }: StoredRecord): RecordField | undefined {
  const title = nameField(recordType);
  return title && textOf(values[title.name]).trim() !== '' ? title : fieldNamed(recordType.record, 'id');
}

/** The field by which records of a type are named; undefined if they are named by their id. */
export function nameField({ record, title }: AdminRecords): RecordField | undefined {
  if (title !== undefined) return fieldNamed(record, title);
  return ['name', 'title'].map((name) => fieldNamed(record, name)).find((field) => field?.kind === 'text');
}
