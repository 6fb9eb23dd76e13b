import type { ListFacts } from '../../../records/list-request';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { optionalFields, type RecordField } from '../../../records/record-fields';
import { readPatch } from '../../../records/record-values';
import { InvalidRecordError } from '../../../records/records.errors';
import type { Field } from '../../ui/fields';
import { faultTexts } from '../../http/form-faults';
import { fieldControl } from '../fields/field-control';
import { type ListQuery, readListQuery } from '../list/list-query';
import { helpOf, patchFields } from '../record/record-form';
import { manyOf } from '../../../records/record-names';
import { canonical } from '../../../records/value-text';

/** Prefix of a parameter with the new value of a field of many records; no name of a field has a hyphen. */
const SET = 'set-';

/** Parameter with the fields to be cleared; several are separated by commas, or given in several parameters. */
const CLEARED = `${SET}to-nothing`;

/** A change of many records, as the query of an address describes it. */
export interface BulkChange {
  /** The list of the records to be changed. */
  readonly query: ListQuery;
  /** New values of fields by name, an empty text for no value; other fields stay as they are. */
  readonly texts: Readonly<Record<string, string>>;
  /** Faults by the name of their control, and under the empty name if there is no control. */
  readonly faults: Readonly<Record<string, string>>;
}

/** Reads the change that an address describes. */
export function readBulkChange(facts: ListFacts, parameters: URLSearchParams): BulkChange {
  const { recordType } = facts;
  const isSetting = (name: string) => name.startsWith(SET);
  const query = readListQuery(
    facts,
    new URLSearchParams([...parameters].filter(([name]) => !isSetting(name))),
  );
  const wrong = Object.values(query.faults);
  if (query.filter.removed !== 'without') wrong.push(`Removed ${manyOf(recordType)} cannot be changed.`);
  const given = patchFields(recordType).map(
    ({ name, kind }) => [name, canonical(kind, parameters.get(SET + name) ?? '')] as const,
  );
  const values = given.filter(([, text]) => text !== '');
  const cleared = parameters.getAll(CLEARED).flatMap((names) => names.split(',').filter(Boolean));
  const texts = Object.fromEntries([...values, ...cleared.map((name) => [name, ''] as const)]);
  const faults = settingFaults(recordType, texts);
  const optional = clearedFields(recordType).map(({ name }) => name);
  if (cleared.some((name) => !optional.includes(name) || values.some(([valued]) => valued === name))) {
    faults[CLEARED] = 'Only an optional field without a new value can be cleared.';
  }
  return { query, texts, faults: wrong.length > 0 ? { ...faults, '': wrong.join(' ') } : faults };
}

/** The controls for the new values of fields. */
export function bulkControls(recordType: AdminRecords, { texts, faults }: BulkChange): Field[] {
  const controls = patchFields(recordType).map((field) => {
    const control = fieldControl(field, {
      value: texts[field.name] ?? '',
      label: `New ${field.label.toLowerCase()}`,
      help: helpOf(field),
      none: 'Unchanged',
      error: faults[SET + field.name],
    });
    return { ...control, name: SET + field.name, placeholder: 'Unchanged' };
  });
  const optional = clearedFields(recordType);
  return optional.length > 0 ? [...controls, clearingControl(optional, texts, faults)] : controls;
}

/** The fields that can be cleared. */
function clearedFields(recordType: AdminRecords): RecordField[] {
  const optional = optionalFields(recordType.record).map(({ name }) => name);
  return patchFields(recordType).filter(({ name }) => optional.includes(name));
}

function clearingControl(
  fields: readonly RecordField[],
  texts: BulkChange['texts'],
  faults: BulkChange['faults'],
): Field {
  return {
    name: CLEARED,
    label: 'Clear a field',
    type: 'select',
    options: [{ value: '', label: 'None' }, ...fields.map(({ name, label }) => ({ value: name, label }))],
    value: fields.find(({ name }) => texts[name] === '')?.name ?? '',
    error: faults[CLEARED],
  };
}

function settingFaults(recordType: AdminRecords, texts: BulkChange['texts']): Record<string, string> {
  try {
    if (recordType.patch) readPatch(recordType.patch, texts);
    return {};
  } catch (error) {
    if (!(error instanceof InvalidRecordError)) throw error;
    const faults = Object.entries(faultTexts(patchFields(recordType), error.faults));
    return Object.fromEntries(faults.map(([name, text]) => [SET + name, text]));
  }
}
