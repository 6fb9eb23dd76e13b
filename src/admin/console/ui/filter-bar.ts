import { type Html, html } from '../../../platform/html/html';
import type { AdminFilter } from '../../../platform/validation/admin-filter';
import type { ConsoleRequest } from '../http/console-request';
import type { FilterQuery } from '../http/filter-query';
import { type Field, field, type Option } from './fields';
import { icon } from './icons';
import { badge } from './text';

/** The filters of a list, as a form shows them. */
export interface FilterBar {
  /** Fields that are always in view. */
  readonly fields: readonly Field[];
  /** All other fields, which are folded away until one of them is in use. */
  readonly more: readonly Field[];
  /** Address of the list without its filters. */
  readonly reset: string;
}

/** Options of filters that are known only when the page is shown, by filter. */
type Offered = Readonly<Record<string, readonly Option[]>>;

/** Builds the bar of a list's filters. @param suggestions values that can be chosen instead of typed */
export function filterBarOf(
  filters: readonly AdminFilter[],
  query: FilterQuery,
  request: ConsoleRequest,
  suggestions: Offered = {},
): FilterBar {
  const controls = (isMore: boolean) =>
    filters
      .filter((filter) => (filter.isMore ?? false) === isMore)
      .map((filter) => filterControl(filter, query, suggestions[filter.name]));
  return { fields: controls(false), more: controls(true), reset: addressWithout(filters, request) };
}

/** Builds the control of a filter. */
export function filterControl(
  { name, label, operator, placeholder, fallback, values = {} }: AdminFilter,
  { texts, faults }: Pick<FilterQuery, 'texts' | 'faults'>,
  suggestions?: readonly Option[],
): Field {
  const { choices, type, attributes } = values;
  const none = fallback === undefined ? [{ value: '', label: 'Any' }] : [];
  const control: Field = {
    ...{ name, label, value: texts[name] ?? '', error: faults[name] },
    ...(placeholder !== undefined && { placeholder }),
    ...(suggestions && { suggestions }),
    ...(type !== undefined && { type }),
    ...(attributes && { attributes }),
    ...(choices && { type: 'select', options: [...none, ...choices] }),
  };
  return operator === 'in' && choices ? withSeveral(control) : control;
}

/** Adds the options of several values: those that are chosen, and those with one more. */
export function withSeveral({ options = [], ...control }: Field): Field {
  const chosen = new Set((control.value ?? '').split(',').filter(Boolean));
  if (chosen.size === 0) return { ...control, options };
  const known = options.filter(({ value }) => value !== '');
  const sets = [chosen, ...known.map(({ value }) => new Set([...chosen, value]))];
  const several = sets
    .filter((values, i) => values.size > 1 && (i === 0 || values.size > chosen.size))
    .map((values): Option => {
      const labelOf = (name: string) => known.find(({ value }) => value === name)?.label ?? name;
      return { value: [...values].join(','), label: [...values].map(labelOf).join(', ') };
    });
  return { ...control, options: [...options, ...several] };
}

/** The address of the first page of a list without its filters. */
function addressWithout(filters: readonly AdminFilter[], request: ConsoleRequest): string {
  const names = [...filters.map(({ name }) => name), 'before', 'after'];
  return request.addressWith(Object.fromEntries(names.map((name) => [name, undefined])));
}

/** True if a field has a text. */
export function isGiven({ value }: Field): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Renders the filters of a list with the buttons that apply and remove them. */
export function filterBar({ fields, more, reset }: FilterBar): Html {
  const used = more.filter(isGiven).length;
  const count = used > 0 ? html` ${badge(String(used), 'accent')}` : '';
  const attributes = html`class="more"${used > 0 ? html` open` : ''}`;
  const folded = html`<details ${attributes}>
    <summary>More filters${count}</summary>
    <div class="more-filters">${more.map(field)}</div>
  </details>`;
  return html`<div class="filters">
      ${fields.map(field)}
      <div class="form-actions">
        <button class="button" type="submit">${icon('search')}Search</button
        ><a class="button button-quiet" href="${reset}">Reset</a>
      </div>
    </div>
    ${more.length > 0 ? folded : ''}`;
}
