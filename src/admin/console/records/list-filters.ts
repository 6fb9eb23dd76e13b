import type { RecordField } from '../../records/record-fields';
import type { Field } from '../ui/fields';
import { fieldControl } from './field-control';
import { filterFields, type ListFacts, type ListQuery, REMOVED, timesOf } from './list-query';
import { manyOf } from './record-paths';

/** The controls of the filter bar, with what the address says. */
export function filterControls(facts: ListFacts, { texts, faults }: ListQuery): Field[] {
  const ofFields = filterFields(facts.kind).map((field) =>
    fieldControl(field, {
      label: labelOf(field),
      value: texts[field.name] ?? '',
      error: faults[field.name],
      none: 'Any',
    }),
  );
  return [...ofFields, ...timeControls(facts, texts, faults), ...removedControls(facts, texts, faults)];
}

/** What a list is narrowed down to, in words: `Status: Sold`. */
export function filterWords(controls: readonly Field[]): string[] {
  return controls
    .filter(({ value }) => value !== undefined && value !== null && value !== '')
    .map(({ label, value, options = [] }) => {
      const chosen = options.find((option) => option.value === value);
      return `${label}: ${chosen?.label ?? value}`;
    });
}

function labelOf({ label, kind }: RecordField): string {
  return kind === 'text' ? `${label} contains` : label;
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

function removedControls(
  { kind, keepsRemoved }: ListFacts,
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
      label: `Removed ${manyOf(kind)}`,
      type: 'select',
      options,
      value: texts[REMOVED] ?? '',
      error: faults[REMOVED],
    },
  ];
}
