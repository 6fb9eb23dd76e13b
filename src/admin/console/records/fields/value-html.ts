import type { AdminRecords } from '../../../../platform/features/admin-records';
import { type Html, html } from '../../../../platform/html/html';
import { kindNamed } from '../../../../platform/values/kinds/kinds';
import { readDateTime } from '../../../../platform/values/text-formats';
import type { RecordField } from '../../../records/record-fields';
import { valueOf } from '../../../records/record-values';
import { badge, nothing, type Tone } from '../../ui/text';
import { type ShowTime, timeIn } from '../../ui/time';
import { listPath } from '../record-paths';
import { choiceInWords, shortened, textOf } from '../../../records/value-text';

/** Tones for the values of an enum, in the order in which it declares them. */
const TONES: readonly Tone[] = ['success', 'warning', 'accent', 'neutral'];

/** Context for showing values to a reader. */
export interface ValueView {
  /** All record types: a reference to one of them becomes a link. */
  readonly recordTypes: readonly AdminRecords[];
  readonly time: ShowTime;
  /** Names of records that values refer to, by `pets/3`; if one is missing, its type and id are shown. */
  readonly names?: ReadonlyMap<string, string>;
}

/** Creates the context for showing values to the reader of a page. */
export function valueView(
  recordTypes: readonly AdminRecords[],
  { timeZone }: { readonly timeZone: string },
): ValueView {
  return { recordTypes, time: timeIn(timeZone) };
}

/**
 * Renders the value of a field.
 *
 * @param field undefined for a value without a field, such as that of a field which an earlier version had
 */
export function valueHtml(view: ValueView, field: RecordField | undefined, value: unknown): Html {
  if (value === undefined || value === null) return nothing('not set');
  const text = textOf(value);
  const instant = field?.kind === 'date-time' || value instanceof Date ? readDateTime(text) : undefined;
  if (instant) return view.time(instant);
  switch (field?.kind) {
    case 'enum':
      return badge(choiceInWords(field, text), toneOf(field, text));
    case 'boolean':
      return html`${choiceInWords(field, text)}`;
    case 'int64':
      return field.refersTo === undefined ? html`${text}` : reference(view, field.refersTo, text);
    case 'uuid':
      return html`<code>${text}</code>`;
    case 'array':
      return arrayHtml(view, field, text);
    default:
      return textHtml(text);
  }
}

/** Renders the value of a field for a list, where long texts are cut. */
export function shortValueHtml(view: ValueView, field: RecordField, value: unknown): Html {
  if (value === undefined || value === null) return valueHtml(view, field, value);
  if (field.kind === 'array') return textHtml(shortened(itemsOf(textOf(value)).map(textOf).join(', ')));
  return field.kind === 'text' ? textHtml(shortened(textOf(value))) : valueHtml(view, field, value);
}

/** Renders every item as a value of its own. */
function arrayHtml(view: ValueView, field: RecordField, text: string): Html {
  const items = itemsOf(text);
  if (items.length === 0) return textHtml('');
  const each: RecordField = { ...field, kind: field.items ?? 'text' };
  return html`${items.map((item, index) => html`${index === 0 ? '' : ', '}${valueHtml(view, each, item)}`)}`;
}

/** The items of an array in JSON; a text that is not an array is the only item. */
function itemsOf(text: string): readonly unknown[] {
  const items = valueOf('array', text);
  return Array.isArray(items) ? items : [text];
}

/** Renders text so that its direction does not affect the text around it. */
function textHtml(text: string): Html {
  return text.trim() === '' ? html`<span class="muted">empty</span>` : html`<bdi class="text">${text}</bdi>`;
}

function reference({ recordTypes, names }: ValueView, records: string, id: string): Html {
  const recordType = recordTypes.find(({ name }) => name === records);
  if (!recordType) return html`${id}`;
  const name = names?.get(`${records}/${id}`);
  const text = name === undefined ? html`${recordType.one} ${id}` : html`<bdi>${name}</bdi> (${id})`;
  return html`<a href="${listPath(recordType)}/${id}">${text}</a>`;
}

function toneOf({ values }: RecordField, value: string): Tone {
  const index = values.indexOf(value);
  return index === -1 ? 'neutral' : (TONES[index % TONES.length] as Tone);
}

/** Renders a value on the page of its record, where an array of objects becomes a table. */
export function factHtml(view: ValueView, field: RecordField, value: unknown): Html {
  const { members } = field;
  if (!members || !Array.isArray(value) || value.length === 0) return valueHtml(view, field, value);
  const objects = value as readonly Readonly<Record<string, unknown>>[];
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label="${field.label}">
    <table class="table-plain stacking" role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${members.map((member) => html`<th scope="col" role="columnheader" ${classOf(member)}>${member.label}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${objects.map(
          (object) =>
            html`<tr role="row">
              ${members.map((member) => cellHtml(view, member, object[member.name]))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function cellHtml(view: ValueView, member: RecordField, value: unknown): Html {
  return html`<td role="cell" data-label="${member.label}" ${classOf(member)}>
    ${valueHtml(view, member, value)}
  </td>`;
}

function classOf(member: RecordField): Html | string {
  return isNumber(member) ? html`class="number"` : '';
}

/** True if the values of a field are right-aligned in its column; false without a field. */
export function isNumber(field: RecordField | undefined): boolean {
  return field !== undefined && field.kind !== 'array' && kindNamed(field.kind).isAmount === true;
}
