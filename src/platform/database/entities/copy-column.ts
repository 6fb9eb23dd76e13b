import type { Database } from '../database';
import { keyRanges } from './key-ranges';

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
  for await (const range of keyRanges(dataSource, table)) {
    await dataSource.query(
      `UPDATE "${table}" SET "${to}" = "${from}" WHERE ${range} AND "${to}" IS DISTINCT FROM "${from}"`,
    );
  }
}
