import { type RecordOrder, type RecordPlace, placeOf } from '../../records/record-query';
import type { AdminRecords } from '../../../platform/features/admin-records';
import type { RecordsService } from '../../records/records.service';
import type { StoredRecord } from '../../records/stored-record';
import { type ListQuery, listQueryText, PAGE_AFTER, PAGE_BEFORE } from './list-query';
import { placeCursor, type ReadPlace } from './place-cursor';
import { listPath } from './record-paths';
import { countText, MAX_COUNT } from '../ui/count-text';

/** Records of one page. */
export const PAGE_SIZE = 50;

/** What there is of a list on one page, and where its other pages are. */
export interface ListPage {
  readonly rows: readonly StoredRecord[];
  /** How many match; one more than are counted when there are more. */
  readonly count: number;
  /** The same in words. */
  readonly countText: string;
  readonly first: string | undefined;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** Reads one page of a list. @throws RecordNotFoundError when the record is gone that the page begins behind */
export async function readListPage(
  records: RecordsService,
  kind: AdminRecords,
  query: ListQuery,
): Promise<ListPage> {
  const [stretch, found] = await Promise.all([
    readStretch(records, kind, query),
    records.count(kind, query.filter, MAX_COUNT + 1),
  ]);
  const { rows, hasPrevious, hasNext } = stretch;
  const [first, last] = [rows[0], rows.at(-1)];
  const pathWith = (changes: Record<string, string>) =>
    `${listPath(kind)}${listQueryText(query.texts, changes)}`;
  return {
    rows,
    count: found,
    countText: countText(kind, found),
    first: query.page && pathWith({}),
    previous: hasPrevious && first ? pathWith({ [PAGE_BEFORE]: placeCursor(first, query.order) }) : undefined,
    next: hasNext && last ? pathWith({ [PAGE_AFTER]: placeCursor(last, query.order) }) : undefined,
  };
}

async function readStretch(records: RecordsService, kind: AdminRecords, { filter, order, page }: ListQuery) {
  const after = page && (await placeIn(records, kind, order, page.place));
  // One more tells whether there is another page.
  const limit = PAGE_SIZE + 1;
  if (page?.direction === 'before') {
    const turned = { ...order, descending: !order.descending };
    const found = await records.search(kind, filter, { order: turned, after, limit });
    return {
      rows: found.slice(0, PAGE_SIZE).reverse(),
      hasPrevious: found.length > PAGE_SIZE,
      hasNext: true,
    };
  }
  const found = await records.search(kind, filter, { order, after, limit });
  return {
    rows: found.slice(0, PAGE_SIZE),
    hasPrevious: page !== undefined,
    hasNext: found.length > PAGE_SIZE,
  };
}

async function placeIn(
  records: RecordsService,
  kind: AdminRecords,
  order: RecordOrder,
  place: ReadPlace,
): Promise<RecordPlace> {
  return 'value' in place ? place : placeOf(await records.get(kind, place.id), order);
}
