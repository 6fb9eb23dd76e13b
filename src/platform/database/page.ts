import { decodeCursor, encodeCursor } from '../values/cursor';

/** One page of a list, and where the next one begins. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; absent on the last. */
  readonly next?: string;
}

/** What a client asks for: how many items at most, and where to continue. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The rows of one page: those after a key, ascending, one more than the page holds. */
export interface PageWindow {
  readonly after: bigint;
  readonly limit: number;
}

/** A value that a list is filtered by. */
export type FilterValue = string | number | bigint | boolean | null | undefined;

/** Position before every identifier the database assigns. */
const START = 0n;

/**
 * Reads one page in ascending order of identifiers, by keyset: the 10,000th page costs what the first does.
 *
 * @param where the list's filters in force; a cursor holds only with those it was made with
 * @param read reads the rows of a window
 * @throws InvalidCursorError
 */
export async function readPage<Row extends { readonly id: bigint }>(
  { limit, cursor }: PageRequest,
  where: Readonly<Record<string, FilterValue>>,
  read: (window: PageWindow) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const inForce: Record<string, string> = {};
  for (const name in where) {
    if (where[name] !== undefined) inForce[name] = String(where[name]);
  }
  const after = cursor === undefined ? START : decodeCursor(cursor, inForce);
  const rows = await read({ after, limit: limit + 1 });
  // The one to spare only tells whether there is more.
  if (rows.length <= limit) return { items: rows };
  const items = rows.slice(0, limit);
  return { items, next: encodeCursor((items.at(-1) as Row).id, inForce) };
}
