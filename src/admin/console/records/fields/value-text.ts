import { exactJson } from '../../../../platform/values/exact-json';
import { readDateTime } from '../../../../platform/values/text-formats';
import type { FieldKind } from '../../../records/record-fields';

/** A date and time without a zone, as browsers send it. */
const LOCAL_DATE_TIME = /^\d{4,}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** The text of a value, which reads as the same value again; empty if the value is missing. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return value instanceof Date ? value.toISOString() : exactJson(value);
}

/**
 * Brings a text typed into a control into the only spelling of its value. Browsers send every line end as CRLF, and their
 * controls for times have no time zone: here it is UTC.
 */
export function canonical(kind: FieldKind, typed: string): string {
  if (kind === 'text') return typed.replaceAll(/\r\n?/g, '\n');
  const text = typed.trim();
  return kind === 'date-time' ? canonicalTime(text) : text;
}

/** The text of a value for the browser's control for its kind. */
export function controlText(kind: FieldKind, text: string): string {
  return kind === 'date-time' && readDateTime(text) ? text.replace(/(\.0+)?Z$/i, '') : text;
}

function canonicalTime(text: string): string {
  const local = LOCAL_DATE_TIME.exec(text);
  const full = local ? `${text.replace(' ', 'T')}${local[1] ? '' : ':00'}Z` : text;
  return readDateTime(full)?.toISOString() ?? text;
}
