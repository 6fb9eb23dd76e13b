import type { ListFacts } from '../../../records/list-request';
import { fieldsOf } from '../../../records/record-fields';
import type { RecordListFilter } from '../../../records/record-filters';
import type { Field, Option } from '../../ui/fields';
import { type FilterBar, filterControl, isGiven, withSeveral } from '../../ui/filter-bar';
import { fieldControl, withPicker } from '../fields/field-control';
import { nameField } from '../../../records/record-title';
import { listControls, type ListQuery } from './list-query';

/** Records that the filters by a reference know already, by the name of the field. */
type Offered = ReadonlyMap<string, readonly Option[]>;

/** Builds the controls of the filter bar, with the values of the address. */
export function filterControls(
  facts: ListFacts,
  query: ListQuery,
  offered: Offered = new Map<string, Option[]>(),
): Field[] {
  return listControls(facts).map((filter) => controlOf(filter, query, offered));
}

function controlOf(filter: RecordListFilter, query: ListQuery, offered: Offered): Field {
  const { name, label, as } = filter;
  if (!as) return filterControl(filter, query);
  const value = query.texts[name] ?? '';
  // The control would add several values of an enum as one choice; `withSeveral` adds each combination with its words.
  const single = as.kind === 'enum' && value.includes(',') ? '' : value;
  const control = {
    ...fieldControl(as, { label, value: single, error: query.faults[name], none: 'Any' }),
    value,
  };
  if (filter.operator === 'in' && control.type === 'select') return { ...withSeveral(control), name };
  return { ...withPicker(control, as, offered.get(as.name)), name };
}

/**
 * Divides the controls of a list: few are used often, and on a telephone the first record has to be on the first screen.
 *
 * @param reset the address of the list without filters
 */
export function dividedBar({ recordType }: ListFacts, controls: readonly Field[], reset: string): FilterBar {
  const named = (name: string | undefined) => controls.find((control) => control.name === name);
  const name = nameField(recordType);
  const byName = name?.kind === 'text' ? named(name.name) : undefined;
  const search = byName ?? named('id');
  const status = named(fieldsOf(recordType.record).find((field) => field.kind === 'enum')?.name);
  return {
    fields: [
      ...(search ? [asSearch(search, byName && name ? name.label : search.label)] : []),
      ...(status ? [status] : []),
    ],
    more: controls.filter((control) => control !== search && control !== status),
    reset,
  };
}

/** The search box: the field by which people know a record. */
function asSearch(search: Field, label: string): Field {
  return {
    ...search,
    label: `Search by ${label.toLowerCase()}`,
    type: search.type === 'text' ? 'search' : (search.type ?? 'search'),
  };
}

/** Describes the filters of a list in words: `Status: Sold`. */
export function filterWords(controls: readonly Field[]): string[] {
  return controls.filter(isGiven).map(({ label, value, options = [] }) => {
    const chosen = options.find((option) => option.value === value);
    return `${label}: ${chosen?.label ?? value}`;
  });
}
