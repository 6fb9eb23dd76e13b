import type { AdminRecords } from '../../platform/features/admin-records';
import { type AdminFilter, DAYS, labelled } from '../../platform/validation/admin-filter';
import { type FilterOperator, listFilters } from '../../platform/validation/list-filters';
import { kindNamed } from '../../platform/values/kinds/kinds';
import { fieldNamed, fieldsOf, inWords, optionalFields, type RecordField, timeFields } from './record-fields';

/** A filter of the lists of a record type. */
export interface RecordListFilter extends AdminFilter {
  /** The field that describes its values; unset for days and for what is no field. */
  readonly as?: RecordField;
}

/** Abilities of lists that filters depend on. */
interface ListAbilities {
  readonly recordType: AdminRecords;
  /** True if the time at which a record was added is kept. */
  readonly isDated: boolean;
  /** True if removed records are kept. */
  readonly keepsRemoved: boolean;
}

/** Names of filters that are not called like a field. They have a hyphen, which no name of a field has. */
export const NOT_SET = 'not-set';
export const REMOVED = 'removed-records';

/** Inclusion of removed records, if they are kept. */
export type RemovedRecords = (typeof REMOVED_RECORDS)[number];

export const REMOVED_RECORDS = ['without', 'only', 'with'] as const;

/** The filters of the lists of a record type, for the console, the commands and exports. */
export function recordFilters(abilities: ListAbilities): RecordListFilter[] {
  return [...conditionFilters(abilities), ...otherFilters(abilities)];
}

/** The filters that are conditions on one field each. */
export function conditionFilters({ recordType, isDated }: ListAbilities): RecordListFilter[] {
  const declared = declaredFilters(recordType);
  const names = new Set(declared.map(({ name }) => name));
  const plain = fieldsOf(recordType.record).filter(({ name }) => !names.has(name));
  return [
    ...plain.flatMap(plainFilter),
    ...declared,
    ...timeFields(recordType.record).flatMap(({ name, label }) =>
      timeFilters(name, label, [`from-${name}`, `to-${name}`]),
    ),
    ...(isDated ? timeFilters('createdAt', 'Added', ['added-from', 'added-to']) : []),
  ];
}

/** The filters by what is not set, and by what is removed. */
function otherFilters({ recordType, keepsRemoved }: ListAbilities): RecordListFilter[] {
  const optional = optionalFields(recordType.record).map(({ name, label }) => [name, label] as const);
  const notSet: RecordListFilter = {
    name: NOT_SET,
    field: 'notSet',
    operator: 'in',
    label: 'Not set',
    values: labelled(Object.fromEntries(optional)),
    option: '--not-set <fields...>',
    help: 'only records without a value in these fields',
  };
  const removed: RecordListFilter = {
    name: REMOVED,
    field: 'removed',
    label: `Removed ${recordType.name.replaceAll('-', ' ')}`,
    values: labelled({ '': 'Hide', with: 'Show', only: 'Only removed' }),
    fallback: '',
    option: '--removed <which>',
    help: 'list records without removed ones, only removed ones, or all',
  };
  return [...(optional.length > 0 ? [notSet] : []), ...(keepsRemoved ? [removed] : [])];
}

/** Kinds of fields of which a filter takes several values: none of theirs has a comma, which separates them in an address. */
const OF_SEVERAL: ReadonlySet<string> = new Set(['enum', 'int64', 'uuid']);

/** The filter by one of several values, by a value, or by part of a text. Nobody knows an instant to the millisecond, or a whole array. */
function plainFilter(as: RecordField): RecordListFilter[] {
  const { name, label, kind } = as;
  const said = label.toLowerCase();
  if (kind === 'date-time' || kind === 'array') return [];
  return kind === 'text'
    ? [
        {
          ...{ name, field: name, operator: 'contains', label: `${label} contains`, as },
          help: `only those whose ${said} contains this, in any letter case`,
        },
      ]
    : OF_SEVERAL.has(kind)
      ? [{ name, field: name, operator: 'in', label, as, help: keptBy('in', name, as) }]
      : [{ name, field: name, label, as, help: `only those with this ${said}` }];
}

/** True if the query of the clients' list declares a filter, whose rule is then that of its values. */
export function isDeclared({ list }: AdminRecords, name: string): boolean {
  return (
    list !== undefined && listFilters(list).some((filter) => filter.name === name && filter.operator === 'in')
  );
}

/**
 * The filters that the query of the clients' list declares, without filters by an exact value: operators can filter each field
 * by that anyway.
 */
function declaredFilters({ list, record }: AdminRecords): RecordListFilter[] {
  return (list ? listFilters(list) : []).flatMap((filter) => {
    const { name, field, operator = 'is' } = filter;
    // Several values are those of the field; one value has a parameter that is documented by itself.
    const as = operator === 'in' ? fieldNamed(record, field) : fieldNamed(list as typeof record, name);
    if (!as || operator === 'is') return [];
    const label = operator === 'prefix' ? `${inWords(field)} begins with` : as.label;
    return [{ ...filter, label, as, help: keptBy(operator, field, as) }];
  });
}

function keptBy(operator: FilterOperator, field: string, { label, kind }: RecordField): string {
  if (operator === 'in') return `only those with this ${label.toLowerCase()}, or with one of several`;
  if (operator === 'prefix') return `only those whose ${field} begins with this`;
  const isTime = kind !== 'array' && kindNamed(kind).isTime;
  if (operator === 'from') return `only those whose ${field} is this or ${isTime ? 'later' : 'more'}`;
  if (operator === 'to') return `only those whose ${field} is this or ${isTime ? 'earlier' : 'less'}`;
  return `only those whose ${field} is ${isTime ? 'before' : 'less than'} this`;
}

/** The filters by the beginning and the end of a span of time. */
function timeFilters(
  field: string,
  label: string,
  [from, to]: readonly [string, string],
): RecordListFilter[] {
  return [
    { name: from, field, operator: 'from', label: `${label} from`, values: DAYS },
    { name: to, field, operator: 'before', label: `${label} to`, values: DAYS },
  ];
}
