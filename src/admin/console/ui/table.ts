import type { PanelTable, PanelValue } from '../../../platform/features/admin-panel';
import { Html, html } from '../../../platform/html/html';
import { nothing, number } from './text';
import type { ShowTime } from './time';

/** A value of a table or a figure; HTML, such as a link, is shown as it is. */
type Shown = PanelValue | Html;

/** Renders a value of a module: a time in the zone of the reader, a number with separators, nothing as a dash. */
export function shownValue(value: Shown, time: ShowTime): Html | string {
  if (value === null || value === undefined) return nothing();
  if (value instanceof Html) return value;
  if (value instanceof Date) return time(value);
  if (isNumber(value)) return number(value);
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : html`<bdi class="text">${value}</bdi>`;
}

/** Renders a small table, whose rows are headed by their first value. Numbers are aligned to the right. */
export function table(
  { columns, rows }: Omit<PanelTable, 'rows'> & { readonly rows: readonly (readonly Shown[])[] },
  time: ShowTime,
): Html {
  const classOf = (i: number) => (rows.some((row) => isNumber(row[i])) ? html` class="number"` : '');
  const headings = columns.map(
    (label, i) => html`<th scope="col" role="columnheader" ${classOf(i)}>${label}</th>`,
  );
  const cellOf = (row: readonly Shown[], label: string, i: number) =>
    i === 0
      ? html`<th scope="row" role="rowheader">${shownValue(row[i], time)}</th>`
      : html`<td role="cell" data-label="${label}" ${classOf(i)}>${shownValue(row[i], time)}</td>`;
  const lines = rows.map(
    (row) =>
      html`<tr role="row">
        ${columns.map((label, i) => cellOf(row, label, i))}
      </tr>`,
  );
  return html`<table class="table-plain stacking" role="table">
    <thead role="rowgroup">
      <tr role="row">
        ${headings}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${lines}
    </tbody>
  </table>`;
}

function isNumber(value: Shown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
