import type { AdminRecords } from '../../../platform/features/admin-records';
import { descriptionHtml } from '../../../platform/openapi/description';
import { type Html, html } from '../../../platform/openapi/html';
import { fieldsOf, type RecordField } from '../../records/record-fields';
import type { FieldTexts } from '../../records/record-values';
import type { Field, Option } from '../ui/fields';
import { fieldControl } from './field-control';
import { canonical, textOf } from './value-text';

/** Before the name of a control that holds what its field was when the form was opened; no name of a field has a hyphen. */
export const WAS = 'was-';

/** The name of the control that holds the version of the record the form was made for. */
export const VERSION = 'record-version';

/** The fields of the form that adds a record. */
export function creationFields({ creation }: AdminRecords): readonly RecordField[] {
  return creation ? fieldsOf(creation) : [];
}

/** The fields of the form that changes a record; whether one can be without a value is the record's to say. */
export function patchFields({ patch, record }: AdminRecords): RecordField[] {
  const changeable = new Set(patch ? fieldsOf(patch).map(({ name }) => name) : []);
  return fieldsOf(record).filter(({ name }) => changeable.has(name));
}

/**
 * The controls of a form with what was typed into them.
 *
 * @param offered what can be chosen instead of typed, by field
 */
export function formControls(
  fields: readonly RecordField[],
  texts: FieldTexts,
  faults: Readonly<Record<string, string>> = {},
  offered: ReadonlyMap<string, readonly Option[]> = new Map(),
): Field[] {
  return fields.map((field) => {
    const value = texts[field.name] ?? '';
    const mayBeNone = field.isOptional || value === '';
    const control = fieldControl(field, {
      value,
      isRequired: mayBeEmpty(field) ? undefined : !field.isOptional,
      none: mayBeNone ? (field.isOptional ? 'Not set' : 'Choose…') : undefined,
      help: helpOf(field),
      error: faults[field.name],
    });
    const suggestions = offered.get(field.name);
    return suggestions ? { ...control, suggestions } : control;
  });
}

/** Whether the empty text is a value of the field: then the form may be sent with it, and the field is not optional either. */
function mayBeEmpty({ kind, isOptional, minLength }: RecordField): boolean {
  return kind === 'text' && !isOptional && minLength === 0;
}

/** What stands for fields that are left out, as texts. */
export function fallbackTexts(fields: readonly RecordField[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, fallback }) => [name, fallback ?? '']));
}

/** What the fields of a record are, as texts. */
export function textsOf(
  fields: readonly RecordField[],
  values: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(fields.map(({ name }) => [name, textOf(values[name])]));
}

/** What was typed, by field. */
export function typedTexts(fields: readonly RecordField[], form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, kind }) => [name, canonical(kind, form.get(name) ?? '')]));
}

/** What the fields were when the form was opened. */
export function formerTexts(fields: readonly RecordField[], form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name, kind }) => [name, canonical(kind, form.get(WAS + name) ?? '')]),
  );
}

/** Only what differs from what was there: a form changes nothing its user left alone. */
export function changedTexts(
  fields: readonly RecordField[],
  former: FieldTexts,
  typed: FieldTexts,
): Record<string, string> {
  return Object.fromEntries(
    fields
      .filter(({ name, kind }) => canonical(kind, former[name] ?? '') !== typed[name])
      .map(({ name }) => [name, typed[name] ?? '']),
  );
}

function helpOf({ description, kind, example }: RecordField): Html | undefined {
  const isShown = kind === 'uuid' || kind === 'array';
  const form =
    kind === 'date-time'
      ? ' In UTC.'
      : isShown && example
        ? ` For example ${example}${kind === 'uuid' ? '.' : ''}`
        : '';
  return description + form === '' ? undefined : html`${descriptionHtml(description)}${form}`;
}
