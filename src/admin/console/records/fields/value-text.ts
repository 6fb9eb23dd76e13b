import { exactJson } from '../../../../platform/values/exact-json';
import { controlOf, type FieldKind } from '../../../records/record-fields';

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
