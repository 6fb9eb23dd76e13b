import type { DataSource, EntityMetadata } from 'typeorm';
import { type Engine, engineOf } from '../column-types';

/** The columns of all tables, as statements of this connection see them. */
const COLUMNS: Readonly<Record<Engine, string>> = {
  sqlite: `
    SELECT part.name AS "table", info.name AS "column"
    FROM sqlite_master AS part JOIN pragma_table_info(part.name) AS info WHERE part.type IN ('table', 'view')`,
  postgres: `
    SELECT relname AS "table", attname AS "column"
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE pg_table_is_visible(pg_class.oid) AND relnamespace <> 'pg_catalog'::regnamespace`,
};

/**
 * Finds what statements of this build would miss in a database whose migrations say that it is there: a table that someone dropped,
 * a column that someone renamed.
 *
 * @param reader the connection to read on; one of the pool unless given
 * @returns `table` or `table.column`, sorted
 */
export async function findMissingColumns(
  dataSource: DataSource,
  reader: { query(sql: string): Promise<unknown> } = dataSource,
): Promise<string[]> {
  const found = new Map<string, Set<string>>();
  const rows = (await reader.query(COLUMNS[engineOf(dataSource)])) as { table: string; column: string }[];
  for (const { table, column } of rows) {
    found.set(table, (found.get(table) ?? new Set()).add(column));
  }
  return dataSource.entityMetadatas
    .flatMap((entity) => {
      const columns = found.get(entity.tableName);
      if (!columns) return [entity.tableName];
      return usedColumns(entity)
        .filter((name) => !columns.has(name))
        .map((name) => `${entity.tableName}.${name}`);
    })
    .sort();
}

/** The columns that statements of this build use: without those that are retired, for a newer version may have dropped them. */
function usedColumns({ columns }: EntityMetadata): string[] {
  return columns
    .filter(({ isVirtualProperty }) => !isVirtualProperty)
    .filter(({ isSelect, isInsert, isUpdate }) => isSelect || isInsert || isUpdate)
    .map(({ databaseName }) => databaseName);
}
