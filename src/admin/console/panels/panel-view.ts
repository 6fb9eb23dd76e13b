import type { PanelContent, PanelTable, PanelValue } from '../../../platform/features/admin-panel';
import { type Html, html } from '../../../platform/openapi/html';
import { nothing, number } from '../ui/text';
import { type ShowTime, timeIn } from '../ui/time';

/** What a panel shows, as its template writes it. */
export interface PanelView {
  readonly figures: readonly {
    readonly label: string;
    readonly value: Html | string;
    readonly note: string;
  }[];
  readonly table: PanelTableView | undefined;
}

interface PanelTableView {
  readonly columns: readonly { readonly label: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly (Html | string)[])[];
}

/** The content of a panel for a reader. */
export function panelView(
  { figures = [], table }: PanelContent,
  { timeZone }: { readonly timeZone: string },
): PanelView {
  const time = timeIn(timeZone);
  return {
    figures: figures.map(({ label, value, note = '' }) => ({ label, value: valueHtml(value, time), note })),
    table: table && tableView(table, time),
  };
}

function tableView({ columns, rows }: PanelTable, time: ShowTime): PanelTableView {
  return {
    columns: columns.map((label, i) => ({ label, isNumber: rows.some((row) => isNumber(row[i])) })),
    rows: rows.map((row) => columns.map((_, i) => valueHtml(row[i], time))),
  };
}

function valueHtml(value: PanelValue, time: ShowTime): Html | string {
  if (value === null || value === undefined) return nothing();
  if (value instanceof Date) return time(value);
  if (isNumber(value)) return number(value);
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : html`<bdi class="text">${value}</bdi>`;
}

function isNumber(value: PanelValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
