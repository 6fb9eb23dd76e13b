import type { ListFacts } from '../../../records/list-request';
import { type ListParameter, plainFields } from '../../../records/list-parameters';
import { fieldsOf, inWords, optionalFields, type RecordField } from '../../../records/record-fields';
import type { Field } from '../../ui/fields';
import { fieldControl } from '../fields/field-control';
import { type ListQuery, NOT_SET, listControls, REMOVED, timesOf } from './list-query';
import { manyOf } from '../../ui/record-names';
import { nameField } from '../fields/record-title';

/** Builds the controls of the filter bar, with the values of the address. */
export function filterControls(facts: ListFacts, { texts, faults }: ListQuery): Field[] {
  const ofFields = plainFields(facts.recordType).map((field) =>
    fieldControl(field, {
      label: labelOf(field),
      value: texts[field.name] ?? '',
      error: faults[field.name],
      none: 'Any',
    }),
  );
  return [
    ...ofFields,
    ...listControls(facts.recordType).map((parameter) => parameterControl(parameter, texts, faults)),
    ...timeControls(facts, texts, faults),
    ...notSetControls(facts, texts, faults),
    ...removedControls(facts, texts, faults),
  ];
}

/** The controls of a list by their position. */
export interface FilterBar {
  /** The search box: the field by which people know a record. */
  readonly search: Field | undefined;
  /** Filters by status. */
  readonly states: readonly Field[];
  /** All other filters, which are folded away until one of them is in use. */
  readonly more: readonly Field[];
  /** Number of other filters in use. */
  readonly moreCount: number;
  readonly isMoreOpen: boolean;
}

/** Divides the controls of a list: few are used often, and on a telephone the first record has to be on the first screen. */
export function filterBar({ recordType }: ListFacts, controls: readonly Field[]): FilterBar {
  const named = (name: string | undefined) => controls.find((control) => control.name === name);
  const name = nameField(recordType);
  const search = (name?.kind === 'text' ? named(name.name) : undefined) ?? named('id');
  const status = named(fieldsOf(recordType.record).find((field) => field.kind === 'enum')?.name);
  const more = controls.filter((control) => control !== search && control !== status);
  const moreCount = more.filter(isGiven).length;
  return {
    search: search && {
      ...search,
      label: `Search by ${search.label.replace(/ contains$/, '').toLowerCase()}`,
      type: search.type === 'text' ? 'search' : (search.type ?? 'search'),
    },
    states: status ? [status] : [],
    more,
    moreCount,
    isMoreOpen: moreCount > 0,
  };
}

function isGiven({ value }: Field): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Describes the filters of a list in words: `Status: Sold`. */
export function filterWords(controls: readonly Field[]): string[] {
  return controls.filter(isGiven).map(({ label, value, options = [] }) => {
    const chosen = options.find((option) => option.value === value);
    return `${label}: ${chosen?.label ?? value}`;
  });
}

function labelOf({ label, kind }: RecordField): string {
  return kind === 'text' ? `${label} contains` : label;
}

function parameterControl(
  { name, operator, as, field }: ListParameter,
  texts: ListQuery['texts'],
  faults: ListQuery['faults'],
): Field {
  const control = fieldControl(as, {
    label: operator === 'prefix' ? `${inWords(field)} begins with` : as.label,
    value: texts[name] ?? '',
    error: faults[name],
    none: 'Any',
  });
  return { ...control, name };
}

function timeControls(facts: ListFacts, texts: ListQuery['texts'], faults: ListQuery['faults']): Field[] {
  return timesOf(facts).flatMap(({ label, parameters: [from, to] }) =>
    [
      { name: from, label: `${label} from` },
      { name: to, label: `${label} to` },
    ].map((control) => ({
      ...control,
      type: 'date',
      value: texts[control.name] ?? '',
      error: faults[control.name],
    })),
  );
}

function notSetControls(
  { recordType }: ListFacts,
  texts: ListQuery['texts'],
  faults: ListQuery['faults'],
): Field[] {
  const fields = optionalFields(recordType.record);
  if (fields.length === 0) return [];
  const value = texts[NOT_SET] ?? '';
  const options = fields.map(({ name, label }) => ({ value: name, label }));
  // An address can name several fields.
  if (value !== '' && !options.some((option) => option.value === value)) {
    const labels = value.split(',').map((name) => fields.find((field) => field.name === name)?.label ?? name);
    options.push({ value, label: labels.join(', ') });
  }
  return [
    {
      name: NOT_SET,
      label: 'Not set',
      type: 'select',
      options: [{ value: '', label: 'Any' }, ...options],
      value,
      error: faults[NOT_SET],
    },
  ];
}

function removedControls(
  { recordType, keepsRemoved }: ListFacts,
  texts: ListQuery['texts'],
  faults: ListQuery['faults'],
): Field[] {
  if (!keepsRemoved) return [];
  const options = [
    { value: '', label: 'Left out' },
    { value: 'with', label: 'Included' },
    { value: 'only', label: 'Only these' },
  ];
  return [
    {
      name: REMOVED,
      label: `Removed ${manyOf(recordType)}`,
      type: 'select',
      options,
      value: texts[REMOVED] ?? '',
      error: faults[REMOVED],
    },
  ];
}
