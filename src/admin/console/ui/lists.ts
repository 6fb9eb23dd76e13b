import { type Html, html } from '../../../platform/html/html';
import type { ConsoleRequest } from '../http/console-request';
import { icon } from './icons';

/** A column of a table by which people can sort. */
export interface SortableColumn {
  readonly label: string;
  /** Value of the parameter `sort`; `-` before it reverses the order. */
  readonly by: string;
  readonly isNumber?: boolean;
  /** Class by which it gives way on a narrow screen. */
  readonly room?: string;
  /** Value of `sort` if the address has none. */
  readonly fallback?: string;
}

/**
 * Renders the heading of a column that sorts by it: a link, with a sign for the direction, or for both while the list is not
 * sorted by it.
 */
export function sortHeading(it: {
  readonly label: string;
  readonly path: string;
  readonly order: 'ascending' | 'descending' | 'none';
  readonly isNumber?: boolean | undefined;
  readonly room?: string | undefined;
}): Html {
  const sign = it.order === 'none' ? 'sort' : it.order === 'ascending' ? 'arrowUp' : 'arrowDown';
  const classes = [it.isNumber ? 'number' : '', it.room].filter(Boolean).join(' ');
  return html`<th
    scope="col"
    role="columnheader"
    ${classes ? html` class="${classes}"` : ''}
    aria-sort="${it.order}"
  >
    <a class="sort" href="${it.path}">${it.label}${icon(sign)}</a>
  </th>`;
}

/** Renders {@link sortHeading} for the parameter `sort` of the address. Sorting starts again at the first page. */
export function sortable(request: ConsoleRequest, it: SortableColumn): Html {
  const { label, by, isNumber, room, fallback } = it;
  const sort = request.query.get('sort') ?? fallback;
  const isUp = sort === by;
  const order = isUp ? 'ascending' : sort === `-${by}` ? 'descending' : 'none';
  const path = request.addressWith({ sort: isUp ? `-${by}` : by, after: undefined, before: undefined });
  return sortHeading({ label, path, order, isNumber, room });
}

/** Links to the start of a list and to its next page; a link that is unset is left out. */
export function pager(links: {
  readonly first?: string | undefined;
  readonly next?: string | undefined;
}): Html | string {
  if (!links.first && !links.next) return '';
  const first = links.first
    ? html`<a class="button" href="${links.first}" rel="first">${icon('chevronLeft')}Back to start</a>`
    : '';
  const next = links.next
    ? html`<a class="button" href="${links.next}" rel="next">Next${icon('chevronRight')}</a>`
    : '';
  return html`<nav class="pager" aria-label="Pages of the list">${first}${next}</nav>`;
}
