import { type RecordOrder, type RecordPosition, positionOf } from '../../records/list-request';
import { readSlice } from '../../../platform/database/page';
import type { AdminRecords } from '../../../platform/features/admin-records';
import type { RecordsService } from '../../records/records.service';
import type { StoredRecord } from '../../records/stored-record';
import { type ListQuery, listQueryText, PAGE_AFTER, PAGE_BEFORE } from './list-query';
import { positionCursor, type ReadPosition } from './position-cursor';
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
  const [read, found] = await Promise.all([
    readRows(records, kind, query),
    records.count(kind, query.filter, MAX_COUNT + 1),
  ]);
  const { rows, hasPrevious, hasNext } = read;
  const [first, last] = [rows[0], rows.at(-1)];
  const pathWith = (changes: Record<string, string>) =>
    `${listPath(kind)}${listQueryText(query.texts, changes)}`;
  return {
    rows,
    count: found,
    countText: countText(kind, found),
    first: query.page && pathWith({}),
    previous:
      hasPrevious && first ? pathWith({ [PAGE_BEFORE]: positionCursor(first, query.order) }) : undefined,
    next: hasNext && last ? pathWith({ [PAGE_AFTER]: positionCursor(last, query.order) }) : undefined,
  };
}

async function readRows(records: RecordsService, kind: AdminRecords, { filter, order, page }: ListQuery) {
  const after = page && (await positionIn(records, kind, order, page.position));
  const isTurned = page?.direction === 'before';
  const { items, hasMore } = await readSlice(PAGE_SIZE, (limit) =>
    records.search(kind, {
      filter,
      order: { ...order, descending: order.descending !== isTurned },
      after,
      limit,
    }),
  );
  return isTurned
    ? { rows: items.toReversed(), hasPrevious: hasMore, hasNext: true }
    : { rows: items, hasPrevious: page !== undefined, hasNext: hasMore };
}

async function positionIn(
  records: RecordsService,
  kind: AdminRecords,
  order: RecordOrder,
  position: ReadPosition,
): Promise<RecordPosition> {
  return 'value' in position ? position : positionOf(await records.get(kind, position.id), order);
}
