import { type Html, html } from '../../../platform/openapi/html';
import type { ConsoleRequest } from '../console-request';
import { icon } from './icons';

/** A column of a table that can be sorted by. */
export interface SortableColumn {
  readonly label: string;
  /** What the parameter `sort` says for it; `-` before it turns the order. */
  readonly by: string;
  readonly isNumber?: boolean;
  /** What `sort` is when the address does not say. */
  readonly fallback?: string;
}

/** The heading of a column that can be sorted by: a link that sorts, or turns the order. Paging starts anew. */
export function sortable(request: ConsoleRequest, { label, by, isNumber, fallback }: SortableColumn): Html {
  const sort = request.query.get('sort') ?? fallback;
  const isUp = sort === by;
  const isDown = sort === `-${by}`;
  const address = request.addressWith({ sort: isUp ? `-${by}` : by, after: undefined, before: undefined });
  const order = isUp ? 'ascending' : isDown ? 'descending' : 'none';
  const mark = isUp ? icon('arrowUp') : isDown ? icon('arrowDown') : '';
  return html`<th
    scope="col"
    role="columnheader"
    aria-sort="${order}"
    ${isNumber ? html` class="number"` : ''}
  >
    <a class="sort" href="${address}">${label}${mark}</a>
  </th>`;
}

/** Links to the stretches of a list before and after the one shown; what is unset is not there. */
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
