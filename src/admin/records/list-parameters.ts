import type { AdminRecords } from '../../platform/features/admin-records';
import { kindNamed } from '../../platform/values/kinds/kinds';
import { type Filter, type FilterOperator, listFilters } from '../../platform/validation/list-filters';
import { fieldNamed, fieldsOf, type RecordField } from './record-fields';

/** A filter declared by the query of a list, which operators get as clients do. */
export interface ListParameter extends Filter {
  readonly operator: Exclude<FilterOperator, 'is'>;
  /** The parameter as a field; for a parameter of several values, the field that has them. */
  readonly as: RecordField;
  /** Description of the records it keeps, for example `only those whose quantity is this or more`. */
  readonly keeps: string;
}

/**
 * The filters that the query of a list declares, without filters by an exact value: operators can filter each field by that
 * anyway.
 */
export function listParameters({ list, record }: Pick<AdminRecords, 'list' | 'record'>): ListParameter[] {
  return (list ? listFilters(list) : []).flatMap((filter) => {
    const { name, field, operator } = filter;
    const as = operator === 'in' ? fieldNamed(record, field) : fieldNamed(list as typeof record, name);
    return as && operator && operator !== 'is'
      ? [{ ...filter, operator, as, keeps: keptBy(operator, field, as) }]
      : [];
  });
}

/** The fields of records that are filtered by their exact value, or by part of a text. */
export function plainFields(recordType: Pick<AdminRecords, 'list' | 'record'>): RecordField[] {
  const declared = new Set(listParameters(recordType).map(({ name }) => name));
  // Nobody knows an instant to the millisecond, or a whole array: instants are filtered by from and to.
  return fieldsOf(recordType.record).filter(
    ({ name, kind: fieldKind }) => fieldKind !== 'date-time' && fieldKind !== 'array' && !declared.has(name),
  );
}

function keptBy(
  operator: ListParameter['operator'],
  field: string,
  { label, kind: type }: RecordField,
): string {
  if (operator === 'in') return `only those with this ${label.toLowerCase()}, or with one of several`;
  if (operator === 'prefix') return `only those whose ${field} begins with this`;
  const isTime = type !== 'array' && kindNamed(type).isTime;
  if (operator === 'from') return `only those whose ${field} is this or ${isTime ? 'later' : 'more'}`;
  if (operator === 'to') return `only those whose ${field} is this or ${isTime ? 'earlier' : 'less'}`;
  return `only those whose ${field} is ${isTime ? 'before' : 'less than'} this`;
}
