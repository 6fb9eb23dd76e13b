import type { AdminRecords } from '../../../platform/admin/admin-records';
import type { RecordField } from '../../records/record-fields';
import { patchFields } from './record-form';

/** Before the name of a parameter that says what a field of many records is set to; no name of a field has a hyphen. */
export const SET = 'set-';

/** The fields that can be changed of many records at once: those whose values say where something stands. */
export function bulkFields(kind: AdminRecords): RecordField[] {
  return patchFields(kind).filter((field) => field.kind === 'enum');
}

/** What the fields are to be set to, of what an address says; the others stay as they are. */
export function bulkTexts(kind: AdminRecords, parameters: URLSearchParams): Record<string, string> {
  const texts = bulkFields(kind).map(({ name }) => [name, parameters.get(SET + name) ?? ''] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

/** An address' parameters without those that say what is set. */
export function withoutSettings(parameters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([name, text]) => !name.startsWith(SET) && text !== ''));
}
