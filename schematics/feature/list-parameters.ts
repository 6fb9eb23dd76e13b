import { Refusal } from '../refusal.ts';
import type { FieldOptions } from './field-options.ts';
import type { FieldType } from './field-types.ts';

/** A field as far as a list can be asked for it. */
interface ListedField {
  readonly name: string;
  readonly type: FieldType;
  readonly options: FieldOptions;
}

/** What a range is bounded by: at its end by the value itself, or, of instants, by the first that is too late. */
export function boundsOf({
  name,
  type,
}: Pick<ListedField, 'name' | 'type'>): [bound: 'from' | 'to' | 'before', parameter: string][] {
  const end = type === 'date-time' ? 'before' : 'to';
  return [
    ['from', `${name}From`],
    [end, `${name}${end === 'to' ? 'To' : 'Before'}`],
  ];
}

/** The parameters of a field besides one of its own name. */
function furtherParameters(field: ListedField): string[] {
  const { range, prefix } = field.options;
  return [
    ...(range ? boundsOf(field).map(([, parameter]) => parameter) : []),
    ...(prefix ? [`${field.name}Prefix`] : []),
  ];
}

/** Refuses fields of which two would have one parameter of the list. @throws Refusal */
export function refuseSharedParameters(fields: readonly ListedField[]): void {
  const isSorted = fields.some(({ options }) => options.sort);
  for (const field of fields) {
    const shared =
      fields.flatMap(furtherParameters).includes(field.name) || (isSorted && field.name === 'sort');
    if (shared)
      throw new Refusal(`The list has a parameter ${field.name} already: call the field otherwise.`);
  }
}
