import type { AdminRecords } from '../../platform/features/admin-records';
import { kindNamed } from '../../platform/values/kinds/kinds';
import { type FilterKind, type ListFilter, listFilters } from '../../platform/validation/list-filters';
import { fieldNamed, fieldsOf, type RecordField } from './record-fields';

/** A filter declared by the query of a list, which operators get as clients do. */
export interface ListParameter extends ListFilter {
  readonly kind: Exclude<FilterKind, 'value'>;
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
    const { parameter, field, kind } = filter;
    const as = kind === 'values' ? fieldNamed(record, field) : fieldNamed(list as typeof record, parameter);
    return as && kind !== 'value' ? [{ ...filter, kind, as, keeps: keptBy(kind, field, as) }] : [];
  });
}

/** The fields of records that are filtered by their exact value, or by part of a text. */
export function plainFields(recordType: Pick<AdminRecords, 'list' | 'record'>): RecordField[] {
  const declared = new Set(listParameters(recordType).map(({ parameter }) => parameter));
  // Nobody knows an instant to the millisecond, or a whole array: instants are filtered by from and to.
  return fieldsOf(recordType.record).filter(
    ({ name, kind: fieldKind }) => fieldKind !== 'date-time' && fieldKind !== 'array' && !declared.has(name),
  );
}

function keptBy(kind: ListParameter['kind'], field: string, { label, kind: type }: RecordField): string {
  if (kind === 'values') return `only those with this ${label.toLowerCase()}, or with one of several`;
  if (kind === 'prefix') return `only those whose ${field} begins with this`;
  const isTime = type !== 'array' && kindNamed(type).isTime;
  if (kind === 'from') return `only those whose ${field} is this or ${isTime ? 'later' : 'more'}`;
  if (kind === 'to') return `only those whose ${field} is this or ${isTime ? 'earlier' : 'less'}`;
  return `only those whose ${field} is ${isTime ? 'before' : 'less than'} this`;
}
