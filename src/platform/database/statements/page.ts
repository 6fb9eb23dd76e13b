import { type CursorFilter, decodeCursor, encodeCursor } from '../../values/cursor';

/** One page of a list, and where the next one begins. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; absent on the last. */
  readonly next?: string;
}

/** A client's request for one page: most items, and where to continue. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The rows of one page: those after a place, ascending, one more than the page holds. */
export interface PageWindow {
  /** The key of the last row before the page. */
  readonly after: bigint;
  readonly limit: number;
  /** The list's filters in force: a cursor is valid only with the filters it was made with. */
  readonly filter: CursorFilter;
}

/** A value that a list is filtered by. */
export type FilterValue = string | number | bigint | boolean | Date | null | undefined;

/** The filters of a list by name; an undefined one does not count. */
export type Filters = Readonly<Record<string, FilterValue>>;

/** Position before every identifier the database assigns. */
const START = 0n;

/**
 * Returns the window of rows to read for a page in ascending order of identifiers; {@link pageOf} makes the page of them. By
 * keyset: the 10,000th page costs as much as the first.
 *
 * @throws InvalidCursorError
 */
export function pageWindow({ limit, cursor }: PageRequest, where: Filters = {}): PageWindow {
  const filter = filterOf(where);
  return { after: cursor === undefined ? START : decodeCursor(cursor, filter), limit: limit + 1, filter };
}

/** The page of the rows of a window. */
export function pageOf<Row extends { readonly id: bigint }>(
  rows: readonly Row[],
  { limit, filter }: PageWindow,
): Page<Row> {
  return cutPage(rows, limit, ({ id }) => encodeCursor(id, filter));
}

/**
 * Makes the page of rows of which the last tells only that there is more.
 *
 * @param limit of the rows
 * @param cursorOf the cursor of the position after a row
 */
export function cutPage<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string): Page<Row> {
  if (rows.length < limit) return { items: rows };
  const items = rows.slice(0, limit - 1);
  return { items, next: cursorOf(items.at(-1) as Row) };
}

/** The filters in force, as a cursor has them. */
function filterOf(where: Filters): Record<string, string> {
  const inForce: Record<string, string> = {};
  for (const name in where) {
    const value = where[name];
    if (value !== undefined) inForce[name] = value instanceof Date ? value.toISOString() : String(value);
  }
  return inForce;
}

/** Some rows of a list, and whether there are more behind them. */
export interface Slice<Row> {
  readonly items: readonly Row[];
  readonly hasMore: boolean;
}

/**
 * Reads so many rows of a list at most, and looks whether there are more.
 *
 * @param read reads so many rows at most
 */
export async function readSlice<Row>(
  limit: number,
  read: (limit: number) => Promise<readonly Row[]>,
): Promise<Slice<Row>> {
  // The one to spare only tells whether there is more.
  const rows = await read(limit + 1);
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}
