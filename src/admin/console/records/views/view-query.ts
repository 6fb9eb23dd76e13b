import type { AdminRecords } from '../../../../platform/features/admin-records';
import type { ListFacts } from '../../../records/list-request';
import { chosenColumns, type ColumnChoice, columnChoices } from '../list/list-columns';
import { filterControls, filterWords } from '../list/list-filters';
import { CHOSEN, COLUMNS, type ListQuery, listQueryText, readListQuery } from '../list/list-query';
import { listPath, viewsPath } from '../record-paths';
import type { ViewOfPerson } from './saved-views.service';

/** Number of views to which a list links by name; a page of all views has the others. */
const LINKED = 6;

/** The query that a view stores: filter, order and columns of a list, in the same order whatever the address has. */
export function viewQuery({ texts }: ListQuery, columns: readonly ColumnChoice[]): string {
  const names = columns.map(({ name }) => name).join();
  const query = new URLSearchParams(listQueryText(texts, { [COLUMNS]: names, [CHOSEN]: undefined }));
  query.sort();
  return `?${query.toString()}`;
}

/** The links from a list to its views, and the address that saves the list unless a view is the same. */
export function viewLinks(views: readonly ViewOfPerson[], recordType: AdminRecords, query: string) {
  const isSaved = views.some((view) => view.query === query);
  return {
    all: viewsPath(recordType),
    links: views.slice(0, LINKED).map((view) => ({
      name: view.name,
      path: `${listPath(recordType)}${view.query}`,
      isCurrent: view.query === query,
      title: view.isShared ? `Shared by ${view.ownerName}` : 'Only you have this view',
    })),
    more: Math.max(0, views.length - LINKED),
    save: isSaved ? undefined : `${viewsPath(recordType)}/new${query}`,
  };
}

/** Describes a view in words: `Status: Sold`, `Sorted by name`. */
export function viewWords(facts: ListFacts, query: string): string[] {
  const read = readListQuery(facts, new URLSearchParams(query));
  if (Object.keys(read.faults).length > 0)
    return ['The view uses filters, orders or columns that the list no longer has'];
  const { by, descending } = read.order;
  const choices = columnChoices(facts);
  const sorted = choices.find(({ name }) => name === by)?.label.toLowerCase() ?? by;
  const columns = chosenColumns(facts, read.texts, { cookies: {} });
  const labels = columns.map(({ label }) => label).join(', ');
  return [
    ...filterWords(filterControls(facts, read)),
    `Sorted by ${sorted}${descending ? ', descending' : ''}`,
    columns.length === choices.length ? 'All columns' : `Columns: ${labels}`,
  ];
}
