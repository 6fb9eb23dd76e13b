import type { ListFacts } from '../../../records/list-request';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { type Html, html } from '../../../../platform/html/html';
import type { StoredRecord } from '../../../records/stored-record';
import { badge } from '../../ui/text';
import { type ColumnChoice, columnChoices } from './list-columns';
import { type ListQuery, listQueryText, SORT_BY } from './list-query';
import { listPath, recordPath } from '../record-paths';
import { recordTitle, titleField } from '../../../records/record-title';
import { isNumber, shortValueHtml, type ValueView } from '../fields/value-html';

/** The heading of a column. */
export interface ListColumn {
  readonly label: string;
  readonly isNumber: boolean;
  /** The present order, and the address that sorts by this column or reverses its order; undefined if it cannot be sorted. */
  readonly sort: { readonly path: string; readonly order: 'ascending' | 'descending' | 'none' } | undefined;
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

/** Builds the headings of the columns of a list. */
export function listColumns(
  facts: ListFacts,
  query: ListQuery,
  columns: readonly ColumnChoice[] = columnChoices(facts),
): ListColumn[] {
  return columns.map(({ name, label, field }) => ({
    label,
    isNumber: isNumber(field),
    sort: facts.orders.includes(name) ? sortingBy(name, facts.recordType, query) : undefined,
  }));
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
