import type { Html } from '../../../../platform/html/html';
import { choicesOf, controlOf, type RecordField } from '../../../records/record-fields';
import type { Field, Option } from '../../ui/fields';
import { choiceInWords, controlText } from '../../../records/value-text';
import { optionsPath } from '../record-paths';

/** Options in which the controls of a field differ. */
export interface ControlOptions {
  /** The text as typed, even if it was refused. */
  readonly value: string;
  readonly label?: string;
  readonly help?: Html | undefined;
  readonly error?: string | undefined;
  readonly isRequired?: boolean | undefined;
  /** Label of the option of a select without a value; unset if one of the values has to be taken. */
  readonly none?: string | undefined;
}

/** Length of the longest text that is edited in one line, in characters. */
const MAX_LINE = 100;

/** Builds the control of a field, for `ui.field`. */
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
    options: type === 'select' ? optionsOf(field, value, none) : [],
    attributes: { ...controlOf(field.kind).attributes },
  };
}

/**
 * Lets a control that takes the number of a record find it as a person types.
 *
 * @param suggestions records known already; undefined if the field refers to none that can be found
 */
export function withPicker(
  control: Field,
  { refersTo }: RecordField,
  suggestions: readonly Option[] | undefined,
): Field {
  if (!suggestions || refersTo === undefined) return control;
  const attributes = { ...control.attributes, 'data-picker': optionsPath({ name: refersTo }) };
  return { ...control, suggestions, attributes };
}

/**
 * The type of a control. Numbers are typed as text: the browser's own control for numbers loses what is not a number, and
 * digits beyond a double.
 */
function typeOf({ kind }: RecordField, value: string): string {
  const { type } = controlOf(kind);
  // An input of one line would lose the line ends of a value.
  return type ?? (value.length > MAX_LINE || /[\r\n]/.test(value) ? 'textarea' : 'text');
}

function optionsOf(field: RecordField, chosen: string, none: string | undefined): Option[] {
  const choices = choicesOf(field).map((value) => ({ value, label: choiceInWords(field, value) }));
  // A chosen value that is not an option any more stays: a select would show another value in its place.
  if (chosen !== '' && !choices.some(({ value }) => value === chosen)) {
    choices.push({ value: chosen, label: chosen });
  }
  if (none !== undefined) choices.unshift({ value: '', label: none });
  return choices;
}
