import type { Database } from '../database';

/** Rows that one statement of a copy looks at. */
const BATCH = 1_000;

/** Two columns of a table whose key is `id`. */
export interface ColumnCopy {
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Copies a column to another one of the same type, in all rows in which they differ: in batches by key, each a transaction of its
 * own, so that no row is locked for long.
 */
export async function copyColumn({ dataSource }: Database, { table, from, to }: ColumnCopy): Promise<void> {
  for (let last: string | undefined; ;) {
    const after = last === undefined ? '' : `"id" > ${last} AND `;
    // As text: a driver may cut a large number.
    const [batch] = (await dataSource.query(
      `SELECT CAST(max("id") AS text) AS "end" FROM (SELECT "id" FROM "${table}" WHERE ${after}true ORDER BY "id" LIMIT ${BATCH}) AS "batch"`,
    )) as { end: string | null }[];
    if (!batch || batch.end === null) return;
    await dataSource.query(
      `UPDATE "${table}" SET "${to}" = "${from}" WHERE ${after}"id" <= ${batch.end} AND "${to}" IS DISTINCT FROM "${from}"`,
    );
    last = batch.end;
  }
}
