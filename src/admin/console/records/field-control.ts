import { INT64_MAX, INT64_MIN } from '../../../platform/values/int64';
import type { Html } from '../../../platform/openapi/html';
import type { RecordField } from '../../records/record-fields';
import type { FieldFault } from '../../records/records.errors';
import type { Field, Option } from '../ui/fields';
import { controlText } from './value-text';
import { valueInWords } from './value-html';

/** What differs between the controls of a field. */
export interface ControlOptions {
  /** As it was typed, also when it is refused. */
  readonly value: string;
  readonly label?: string;
  readonly help?: Html | undefined;
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
  /** What a select offers besides the values; unset when one of them has to be taken. */
  readonly none?: string | undefined;
}

/** Longest text that goes into one line, in characters. */
const MAX_LINE = 100;

/** What the rule of an int64 says is beyond what people read. */
const INT64_RANGE = `an integer from ${INT64_MIN} to ${INT64_MAX}`;

/** The control of a field, for `ui.field`. */
export function fieldControl(field: RecordField, options: ControlOptions): Field {
  const { none, ...rest } = options;
  const value = controlText(field.kind, options.value);
  const type = typeOf(field, value);
  return {
    label: field.label,
    ...rest,
    name: field.name,
    type,
    value,
    options: type === 'select' ? choicesOf(field, value, none) : [],
    attributes: attributesOf(field),
  };
}

/** What is wrong with fields, in the words of a page: `Category id must be an integer.` */
export function faultTexts(
  fields: readonly RecordField[],
  faults: readonly FieldFault[],
): Record<string, string> {
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  return Object.fromEntries(
    faults.map(({ field, message }) => {
      const said = message.startsWith(`${field} `)
        ? message.slice(field.length).replace(INT64_RANGE, 'a whole number of at most 64 bits')
        : undefined;
      return [field, said === undefined ? message : `${labels.get(field) ?? field}${said}`];
    }),
  );
}

/** Numbers are typed as texts: the browser's own control for them loses what is none, and digits beyond a double. */
function typeOf({ kind }: RecordField, value: string): string {
  switch (kind) {
    case 'enum':
    case 'boolean':
      return 'select';
    case 'date':
      return 'date';
    case 'date-time':
      return 'datetime-local';
    default:
      // A line would lose the line ends of a value.
      return value.length > MAX_LINE || /[\r\n]/.test(value) ? 'textarea' : 'text';
  }
}

function attributesOf({ kind }: RecordField): Record<string, string> {
  switch (kind) {
    case 'integer':
    case 'int64':
      return { inputmode: 'numeric' };
    case 'number':
      return { inputmode: 'decimal' };
    case 'date-time':
      return { step: 'any' };
    default:
      return {};
  }
}

function choicesOf({ kind, values }: RecordField, chosen: string, none: string | undefined): Option[] {
  const choices =
    kind === 'enum'
      ? values.map((value) => ({ value, label: valueInWords(value) }))
      : [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ];
  // What was chosen is kept also when it is none of them: a select would show another value in its place.
  if (chosen !== '' && !choices.some(({ value }) => value === chosen)) {
    choices.push({ value: chosen, label: chosen });
  }
  if (none !== undefined) choices.unshift({ value: '', label: none });
  return choices;
}
