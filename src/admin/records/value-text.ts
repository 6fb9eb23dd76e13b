import { exactJson } from '../../platform/values/exact-json';
import { controlOf, type FieldKind, type RecordField } from './record-fields';

/** Length to which a list cuts the text of a value, in characters. */
const MAX_LIST_TEXT = 120;

/** The text of a value, which reads as the same value again; empty if the value is missing. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return value instanceof Date ? value.toISOString() : exactJson(value);
}

/** Brings a text typed into a control into the only spelling of its value. */
export function canonical(kind: FieldKind, typed: string): string {
  const { canonical: spell } = controlOf(kind);
  return spell ? spell(typed) : typed.trim();
}

/** The text of a value for the browser's control for its kind. */
export function controlText(kind: FieldKind, text: string): string {
  return controlOf(kind).show?.(text) ?? text;
}

/** Cuts a text to the length of a line, never within a character. */
export function shortened(text: string): string {
  const characters = Array.from(text.slice(0, 2 * MAX_LIST_TEXT + 2));
  return characters.length > MAX_LIST_TEXT ? `${characters.slice(0, MAX_LIST_TEXT).join('')}…` : text;
}

/** The label of one of the values of a field with few. */
export function choiceInWords({ labels }: RecordField, value: string): string {
  return Object.hasOwn(labels, value) ? (labels[value] as string) : valueInWords(value);
}

/** Turns a name of a program into words, beginning with a capital: `never_used` becomes `Never used`. */
export function valueInWords(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
