import type { AdminRecords } from '../../../../platform/features/admin-records';
import { descriptionHtml } from '../../../../platform/html/description';
import { type Html, html } from '../../../../platform/html/html';
import { controlOf, fieldsOf, type RecordField } from '../../../records/record-fields';
import type { FieldTexts } from '../../../records/record-values';
import type { Field, Option } from '../../ui/fields';
import { fieldControl, withPicker } from '../fields/field-control';
import { canonical, textOf } from '../../../records/value-text';

/** Prefix of a control that holds the value its field had when the form was opened; no name of a field has a hyphen. */
export const WAS = 'was-';

/** Name of the control with the version of the record for which the form was made. */
export const VERSION = 'record-version';

/** The fields of the form that adds a record. */
export function creationFields({ creation }: AdminRecords): readonly RecordField[] {
  return creation ? fieldsOf(creation) : [];
}

/** The fields of the form that changes a record; whether a field is optional is up to the record, not to the patch. */
export function patchFields({ patch, record }: AdminRecords): RecordField[] {
  const changeable = new Set(patch ? fieldsOf(patch).map(({ name }) => name) : []);
  return fieldsOf(record).filter(({ name }) => changeable.has(name));
}

/** The fields that one click changes on the page of a record: those of an enum. */
export function quickFields(recordType: AdminRecords): RecordField[] {
  return patchFields(recordType).filter((field) => field.kind === 'enum');
}

/**
 * Builds the controls of a form with the texts typed into them.
 *
 * @param offered suggestions by field
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
    return withPicker(control, field, offered.get(field.name));
  });
}

/** True if the empty text is a valid value of the field: then the form may send it, and the field is not optional either. */
function mayBeEmpty({ kind, isOptional, minLength }: RecordField): boolean {
  return kind === 'text' && !isOptional && minLength === 0;
}

/** Texts of the values that fields have if they are left out. */
export function fallbackTexts(fields: readonly RecordField[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, fallback }) => [name, fallback ?? '']));
}

/** Texts of the values of a record. */
export function textsOf(
  fields: readonly RecordField[],
  values: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(fields.map(({ name }) => [name, textOf(values[name])]));
}

/** Texts that were typed, by field. */
export function typedTexts(fields: readonly RecordField[], form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, kind }) => [name, canonical(kind, form.get(name) ?? '')]));
}

/** Texts that the fields had when the form was opened. */
export function formerTexts(fields: readonly RecordField[], form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name, kind }) => [name, canonical(kind, form.get(WAS + name) ?? '')]),
  );
}

/** Picks the texts that differ from the former ones: a form does not change fields that the person left alone. */
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

export function helpOf({ description, kind, example }: RecordField): Html | undefined {
  const { help, showsExample } = controlOf(kind);
  // A full stop behind JSON could be taken for a part of it.
  const end = kind === 'array' ? '' : '.';
  const form = help ? ` ${help}` : showsExample && example ? ` For example ${example}${end}` : '';
  return description + form === '' ? undefined : html`${descriptionHtml(description)}${form}`;
}
