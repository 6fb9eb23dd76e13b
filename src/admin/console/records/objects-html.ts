import { type Html, html } from '../../../platform/openapi/html';
import type { RecordField } from '../../records/record-fields';
import { isNumber } from './list-table';
import { valueHtml, type ValueView } from './value-html';

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
