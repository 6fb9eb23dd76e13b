/** One page of a list, and where the next one begins. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; absent on the last. */
  readonly next?: string;
}

/** What was created, and its path under the base address (`/pets/7`). */
export interface Created<Item> {
  readonly item: Item;
  readonly path: string;
}

/**
 * Cuts a page out of rows that were read with one to spare: that one only tells whether there is more.
 *
 * @param rows at most `limit + 1` rows in list order
 * @param cursorOf makes the cursor that continues after a row
 */
export function pageOf<Row>(rows: readonly Row[], limit: number, cursorOf: (last: Row) => string): Page<Row> {
  if (rows.length <= limit) return { items: rows };
  const items = rows.slice(0, limit);
  return { items, next: cursorOf(items[limit - 1] as Row) };
}
