import type { Html } from '../../../platform/openapi/html';
import type { RecordField } from '../../records/record-fields';
import type { Field, Option } from '../ui/fields';
import { controlText } from './value-text';
import { choiceInWords } from './value-html';

/** What differs between the controls of a field. */
export interface ControlOptions {
  /** As it was typed, also when it is refused. */
  readonly value: string;
  readonly label?: string;
  readonly help?: Html | undefined;
  readonly error?: string | undefined;
  readonly isRequired?: boolean | undefined;
  /** What a select offers besides the values; unset when one of them has to be taken. */
  readonly none?: string | undefined;
}

/** Longest text that goes into one line, in characters. */
const MAX_LINE = 100;

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
    case 'array':
      return 'textarea';
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
    case 'decimal':
      return { inputmode: 'decimal' };
    case 'date-time':
      return { step: 'any' };
    default:
      return {};
  }
}

function choicesOf(field: RecordField, chosen: string, none: string | undefined): Option[] {
  const choices =
    field.kind === 'enum'
      ? field.values.map((value) => ({ value, label: choiceInWords(field, value) }))
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
