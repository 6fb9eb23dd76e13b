import type { ListFacts } from '../../../records/list-request';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { type Html, html } from '../../../../platform/html/html';
import type { StoredRecord } from '../../../records/stored-record';
import { NOT_SET } from '../../../records/record-filters';
import { columnClasses } from '../../ui/columns';
import { badge } from '../../ui/text';
import { type ColumnChoice, columnChoices } from './list-columns';
import { listControls, type ListQuery, listQueryText, SORT_BY } from './list-query';
import { listPath, recordPath } from '../record-paths';
import { recordTitle, titleField } from '../../../records/record-title';
import { isNumber, shortValueHtml, type ValueView } from '../fields/value-html';

/** Widths of columns in pixels in which their values can be read; the box of a row stands beside its title. */
const [TITLE_WIDTH, NUMBER_WIDTH, VALUE_WIDTH] = [200, 90, 120];

/** The heading of a column. */
export interface ListColumn {
  readonly label: string;
  readonly isNumber: boolean;
  /** The present order, and the address that sorts by this column or reverses its order; undefined if it cannot be sorted. */
  readonly sort: { readonly path: string; readonly order: 'ascending' | 'descending' | 'none' } | undefined;
  /** Class by which it gives way on a narrow screen; empty if it stays. */
  readonly room: string;
}

/** One record of a list. */
export interface ListRow {
  readonly id: string;
  /** The record's title, to tell people who use a screen reader which row a checkbox is for. */
  readonly title: string;
  readonly cells: readonly ListCell[];
}

/** One value of a record in a list. */
export interface ListCell {
  readonly isNumber: boolean;
  /** True for the cell with the link to the record. */
  readonly isTitle: boolean;
  readonly content: Html;
}

/**
 * Builds the headings of the columns of a list. On a narrow screen the title stays, and so do columns of filters in force, that of
 * the order, and all that were chosen.
 */
export function listColumns(
  facts: ListFacts,
  query: ListQuery,
  columns: readonly ColumnChoice[] = columnChoices(facts),
): ListColumn[] {
  const isChosen = columns.length < columnChoices(facts).length;
  const inForce = new Set([query.texts[SORT_BY] && query.order.by, ...filteredFields(facts, query.texts)]);
  const classes = columnClasses(
    columns.map(({ name, label, field, isFixed }) => ({
      label,
      width: isFixed ? TITLE_WIDTH : isNumber(field) ? NUMBER_WIDTH : VALUE_WIDTH,
      isKept: isFixed || isChosen || inForce.has(name),
    })),
  );
  return columns.map(({ name, label, field }, i) => ({
    label,
    isNumber: isNumber(field),
    sort: facts.orders.includes(name) ? sortingBy(name, facts.recordType, query) : undefined,
    room: classes[i] ?? '',
  }));
}

/** Names of the fields that the filters of an address are about. */
function filteredFields(facts: ListFacts, texts: ListQuery['texts']): string[] {
  const filters = listControls(facts).filter(({ name }) => texts[name] !== undefined);
  return [...filters.map(({ field }) => field), ...(texts[NOT_SET] ?? '').split(',')];
}

/** Builds the rows of a list, with a link to each record in its title. */
export function listRows(
  facts: ListFacts,
  records: readonly StoredRecord[],
  view: ValueView,
  columns: readonly ColumnChoice[] = columnChoices(facts),
): ListRow[] {
  const { recordType } = facts;
  return records.map((record) => {
    const title = titleField(recordType, record);
    const linked = columns.find(({ field }) => field === title) ?? columns.find(({ isFixed }) => isFixed);
    const cells = columns.map((column): ListCell => {
      const { field } = column;
      if (!field) {
        return { isNumber: false, isTitle: false, content: view.time(record.createdAt, 'not known') };
      }
      const value = shortValueHtml(view, field, record.values[field.name]);
      if (column !== linked) return { isNumber: isNumber(field), isTitle: false, content: value };
      const text = field === title ? value : recordTitle(recordType, record);
      const link = html`<a class="row-title" href="${recordPath(recordType, record.values.id)}">${text}</a>`;
      return { isNumber: isNumber(field), isTitle: true, content: link };
    });
    return {
      id: String(record.values.id),
      title: recordTitle(recordType, record),
      cells: withRemoval(cells, record),
    };
  });
}

function withRemoval(cells: readonly ListCell[], { removedAt }: StoredRecord): ListCell[] {
  const [first, ...others] = cells;
  if (!removedAt || !first) return [...cells];
  return [{ ...first, content: html`${first.content} ${badge('Removed', 'danger')}` }, ...others];
}

function sortingBy(name: string, recordType: AdminRecords, { texts, order }: ListQuery): ListColumn['sort'] {
  const isSorted = order.by === name;
  const isUp = isSorted && !order.descending;
  return {
    path: `${listPath(recordType)}${listQueryText(texts, { [SORT_BY]: isUp ? `-${name}` : name })}`,
    order: isUp ? 'ascending' : isSorted ? 'descending' : 'none',
  };
}
