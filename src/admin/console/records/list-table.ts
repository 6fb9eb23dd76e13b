import type { ListFacts } from '../../records/list-request';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { type Html, html } from '../../../platform/openapi/html';
import { fieldsOf, type RecordField } from '../../records/record-fields';
import type { StoredRecord } from '../../records/stored-record';
import { badge } from '../ui/text';
import { type ListQuery, listQueryText, SORT_BY } from './list-query';
import { listPath, recordPath } from './record-paths';
import { recordTitle, titleField } from './record-title';
import { shortValueHtml, type ValueView } from './value-html';

/** The heading of a column. */
export interface ListColumn {
  readonly label: string;
  readonly isNumber: boolean;
  /** Where the list is sorted by it, or by it the other way round; undefined when it cannot be. */
  readonly sort: { readonly path: string; readonly order: 'ascending' | 'descending' | 'none' } | undefined;
}

/** One record of a list. */
export interface ListRow {
  readonly id: string;
  /** What it is called, for who hears rather than sees which row a box stands in. */
  readonly title: string;
  readonly cells: readonly ListCell[];
}

/** One value of a record in a list. */
export interface ListCell {
  readonly isNumber: boolean;
  /** Whether it is the record's title. */
  readonly isTitle: boolean;
  readonly content: Html;
}

/** The columns of a list. */
export function listColumns(facts: ListFacts, query: ListQuery): ListColumn[] {
  const fields = fieldsOf(facts.kind.record);
  const columns = fields.map((field) => ({ ...field, isNumber: isNumber(field) }));
  const added = facts.isDated ? [{ name: 'createdAt', label: 'Added', isNumber: false }] : [];
  return [...columns, ...added].map(({ name, label, isNumber: isRight }) => ({
    label,
    isNumber: isRight,
    sort: facts.orders.includes(name) ? sortingBy(name, facts.kind, query) : undefined,
  }));
}

/** The rows of a list, with a link to each record in its title. */
export function listRows(
  { kind, isDated }: ListFacts,
  records: readonly StoredRecord[],
  view: ValueView,
): ListRow[] {
  return records.map((record) => {
    const title = titleField(kind, record);
    const cells = fieldsOf(kind.record).map((field): ListCell => {
      const content = shortValueHtml(view, field, record.values[field.name]);
      return {
        isNumber: isNumber(field),
        isTitle: field === title,
        content:
          field === title
            ? html`<a class="row-title" href="${recordPath(kind, record.values.id)}">${content}</a>`
            : content,
      };
    });
    if (isDated) {
      cells.push({ isNumber: false, isTitle: false, content: view.time(record.createdAt, 'not known') });
    }
    return {
      id: String(record.values.id),
      title: recordTitle(kind, record),
      cells: withRemoval(cells, record),
    };
  });
}

function withRemoval(cells: readonly ListCell[], { removedAt }: StoredRecord): ListCell[] {
  const [first, ...others] = cells;
  if (!removedAt || !first) return [...cells];
  return [{ ...first, content: html`${first.content} ${badge('Removed', 'danger')}` }, ...others];
}

function sortingBy(name: string, kind: AdminRecords, { texts, order }: ListQuery): ListColumn['sort'] {
  const isSorted = order.by === name;
  const isUp = isSorted && !order.descending;
  return {
    path: `${listPath(kind)}${listQueryText(texts, { [SORT_BY]: isUp ? `-${name}` : name })}`,
    order: isUp ? 'ascending' : isSorted ? 'descending' : 'none',
  };
}

function isNumber({ kind }: RecordField): boolean {
  return kind === 'integer' || kind === 'number' || kind === 'decimal';
}
