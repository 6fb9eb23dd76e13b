import type { AdminRecords } from '../../../../platform/features/admin-records';
import type { AuditEvent } from '../../../../platform/audit/audit-event.entity';
import { readJson } from '../../../../platform/values/json-reader';
import type { Html } from '../../../../platform/html/html';
import { fieldsOf, inWords, type RecordField } from '../../../records/record-fields';
import type { FieldTexts } from '../../../records/record-values';
import { valueHtml, type ValueView } from '../fields/value-html';
import { canonical, textOf } from '../../../records/value-text';

/** The change of one field. */
export interface FieldChange {
  readonly name: string;
  readonly label: string;
  readonly before: Html;
  readonly after: Html;
}

/** Lists the values that differ, in the order of the document; fields that it does not have any more come last. */
function changesBetween(
  view: ValueView,
  { record }: Pick<AdminRecords, 'record'>,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): FieldChange[] {
  const fields = new Map(fieldsOf(record).map((field) => [field.name, field]));
  const names = new Set([...fields.keys(), ...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !isSame(before[name], after[name]))
    .map((name) => ({
      name,
      label: fields.get(name)?.label ?? inWords(name),
      before: valueHtml(view, fields.get(name), before[name]),
      after: valueHtml(view, fields.get(name), after[name]),
    }));
}

/** A change of a field by another caller while the person edited the same record. */
export interface MeanwhileChange {
  readonly label: string;
  /** The value at the time the form was opened. */
  readonly former: Html;
  readonly now: Html;
  /** The value in the form; undefined if the form leaves the field alone. */
  readonly wanted: Html | undefined;
}

/** Lists the fields, given as texts, that the form or another caller changed. */
export function changesBetweenTexts(
  view: ValueView,
  fields: readonly RecordField[],
  former: FieldTexts,
  now: FieldTexts,
  wanted: FieldTexts,
): MeanwhileChange[] {
  return fields
    .filter(
      ({ name, kind }) => canonical(kind, now[name] ?? '') !== former[name] || wanted[name] !== undefined,
    )
    .map((field) => {
      const { name } = field;
      const typed = wanted[name];
      return {
        label: field.label,
        former: valueHtml(view, field, former[name] || undefined),
        now: valueHtml(view, field, now[name] || undefined),
        wanted: typed === undefined ? undefined : valueHtml(view, field, typed || undefined),
      };
    });
}

/** Lists the changes of an event of the record, field by field. */
export function changesOf(
  view: ValueView,
  recordType: Pick<AdminRecords, 'record'>,
  event: Pick<AuditEvent, 'before' | 'after'>,
): FieldChange[] {
  return changesBetween(view, recordType, valuesIn(event.before), valuesIn(event.after));
}

function valuesIn(json: string | null): Readonly<Record<string, unknown>> {
  return json === null ? {} : (readJson(Buffer.from(json)) as Record<string, unknown>);
}

/** Compares values; an empty text differs from a missing value. */
function isSame(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other) && isSet(one) === isSet(other);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
