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

/** The heading of a column that sorts by it: a link, with a sign of the direction, or of both where it does not sort yet. */
export function sortHeading(it: {
  readonly label: string;
  readonly path: string;
  readonly order: 'ascending' | 'descending' | 'none';
  readonly isNumber?: boolean | undefined;
}): Html {
  const sign = it.order === 'none' ? 'sort' : it.order === 'ascending' ? 'arrowUp' : 'arrowDown';
  return html`<th
    scope="col"
    role="columnheader"
    ${it.isNumber ? html` class="number"` : ''}
    aria-sort="${it.order}"
  >
    <a class="sort" href="${it.path}">${it.label}${icon(sign)}</a>
  </th>`;
}

/** {@link sortHeading} by the parameter `sort` of the address. Paging starts anew. */
export function sortable(request: ConsoleRequest, { label, by, isNumber, fallback }: SortableColumn): Html {
  const sort = request.query.get('sort') ?? fallback;
  const isUp = sort === by;
  const order = isUp ? 'ascending' : sort === `-${by}` ? 'descending' : 'none';
  const path = request.addressWith({ sort: isUp ? `-${by}` : by, after: undefined, before: undefined });
  return sortHeading({ label, path, order, isNumber });
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
