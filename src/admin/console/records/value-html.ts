import type { AdminRecords } from '../../../platform/features/admin-records';
import { type Html, html } from '../../../platform/openapi/html';
import { readDateTime } from '../../../platform/values/text-formats';
import type { RecordField } from '../../records/record-fields';
import { valueOf } from '../../records/record-values';
import { badge, nothing, type Tone, valueInWords } from '../ui/text';
import { type ShowTime, timeIn } from '../ui/time';
import { listPath } from './record-paths';
import { textOf } from './value-text';

/** Looks of the values of an enum, in the order it declares them. */
const TONES: readonly Tone[] = ['success', 'warning', 'accent', 'neutral'];

/** Longest text a list shows of a value, in characters. */
const MAX_LIST_TEXT = 120;

/** What it takes to show values to a reader. */
export interface ValueView {
  /** Every kind of record there is: what one of them is referred to by is a link. */
  readonly kinds: readonly AdminRecords[];
  readonly time: ShowTime;
  /** What records are called that values refer to, by `pets/3`; where one is missing its kind is named. */
  readonly names?: ReadonlyMap<string, string>;
}

/** The values of records as the reader of a page wants them. */
export function valueView(
  kinds: readonly AdminRecords[],
  { timeZone }: { readonly timeZone: string },
): ValueView {
  return { kinds, time: timeIn(timeZone) };
}

/**
 * A value of a field, for people.
 *
 * @param field undefined of a value that belongs to none, as that of a field that was there in an earlier version
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
      return html`${text === 'true' ? 'Yes' : 'No'}`;
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

/** The same in a list, where long texts are cut. */
export function shortValueHtml(view: ValueView, field: RecordField, value: unknown): Html {
  if (value === undefined || value === null) return valueHtml(view, field, value);
  if (field.kind === 'array') return textHtml(shortened(itemsOf(textOf(value)).map(textOf).join(', ')));
  return field.kind === 'text' ? textHtml(shortened(textOf(value))) : valueHtml(view, field, value);
}

/** Each item as a value of its own. */
function arrayHtml(view: ValueView, field: RecordField, text: string): Html {
  const items = itemsOf(text);
  if (items.length === 0) return textHtml('');
  const each: RecordField = { ...field, kind: field.items ?? 'text' };
  return html`${items.map((item, index) => html`${index === 0 ? '' : ', '}${valueHtml(view, each, item)}`)}`;
}

/** The items of an array in JSON; a text that is none is shown as it is. */
function itemsOf(text: string): readonly unknown[] {
  const items = valueOf('array', text);
  return Array.isArray(items) ? items : [text];
}

/** A text cut to what a line holds, between characters. */
export function shortened(text: string): string {
  const characters = Array.from(text.slice(0, 2 * MAX_LIST_TEXT + 2));
  return characters.length > MAX_LIST_TEXT ? `${characters.slice(0, MAX_LIST_TEXT).join('')}…` : text;
}

/** What people read in place of a value of an enum. */
export function choiceInWords({ labels }: RecordField, value: string): string {
  return Object.hasOwn(labels, value) ? (labels[value] as string) : valueInWords(value);
}

/** Text in which nothing turns the direction of what stands around it. */
function textHtml(text: string): Html {
  return text.trim() === '' ? html`<span class="muted">empty</span>` : html`<bdi class="text">${text}</bdi>`;
}

function reference({ kinds, names }: ValueView, records: string, id: string): Html {
  const kind = kinds.find(({ name }) => name === records);
  if (!kind) return html`${id}`;
  const name = names?.get(`${records}/${id}`);
  const text = name === undefined ? html`${kind.one} ${id}` : html`<bdi>${name}</bdi> (${id})`;
  return html`<a href="${listPath(kind)}/${id}">${text}</a>`;
}

function toneOf({ values }: RecordField, value: string): Tone {
  const index = values.indexOf(value);
  return index === -1 ? 'neutral' : (TONES[index % TONES.length] as Tone);
}

/** A value of a record on its page, where an array of objects is a table. */
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

/** Whether a field stands to the right in its column; of what is no field, nothing does. */
export function isNumber(field: RecordField | undefined): boolean {
  return field !== undefined && ['integer', 'number', 'decimal'].includes(field.kind);
}
