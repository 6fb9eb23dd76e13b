import { Refusal } from '../refusal.ts';
import type { FieldOptions } from './field-options.ts';
import type { FieldType } from './field-types.ts';

/** The part of a field that a list needs to know. */
interface ListedField {
  readonly name: string;
  readonly type: FieldType;
  readonly options: FieldOptions;
}

/** Bounds of a range and their parameters: its end is the last value or, for a `date-time`, the first one that is too late. */
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

/** The parameters of a field, except the one with its own name. */
function furtherParameters(field: ListedField): string[] {
  const { range, prefix } = field.options;
  return [
    ...(range ? boundsOf(field).map(([, parameter]) => parameter) : []),
    ...(prefix ? [`${field.name}Prefix`] : []),
  ];
}

/** Refuses a field whose name is that of another parameter of the list. @throws Refusal */
export function refuseSharedParameters(fields: readonly ListedField[]): void {
  const isSorted = fields.some(({ options }) => options.sort);
  for (const field of fields) {
    const shared =
      fields.flatMap(furtherParameters).includes(field.name) || (isSorted && field.name === 'sort');
    if (shared)
      throw new Refusal(`The list already has a parameter ${field.name}: choose another name for the field.`);
  }
}
