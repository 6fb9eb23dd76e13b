import type { DataSource } from 'typeorm';

/** Rows of a range. */
const ROWS = 1_000;

/**
 * Goes through a table whose key is `id`, so that no statement locks rows for long.
 *
 * @returns a condition in SQL for each range of keys, in their order
 */
export async function* keyRanges(dataSource: DataSource, table: string): AsyncGenerator<string> {
  for (let last: string | undefined; ;) {
    const after = last === undefined ? '' : `"id" > ${last} AND `;
    // As text: a driver may cut a large number.
    const [range] = (await dataSource.query(
      `SELECT CAST(max("id") AS text) AS "end" FROM (SELECT "id" FROM "${table}" WHERE ${after}true ORDER BY "id" LIMIT ${ROWS}) AS "range"`,
    )) as { end: string | null }[];
    if (!range || range.end === null) return;
    yield `${after}"id" <= ${range.end}`;
    last = range.end;
  }
}
