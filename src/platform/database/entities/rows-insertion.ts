import type { EntityMetadata } from 'typeorm';
import type { Database } from '../database';
import { NO_QUERY, type Statement } from '../statements/statement';

type Column = EntityMetadata['columns'][number];

/**
 * Returns the insertion of any number of rows by one statement, which is compiled and prepared once.
 *
 * @param columns columns that are filled in
 * @param tail SQL behind it, such as `RETURNING "id"`
 * @returns a statement whose parameter `rows` is JSON: an array of rows, each an array of the values of its columns
 */
export function rowsInsertion(
  database: Database,
  tableName: string,
  columns: readonly Column[],
  tail: string,
): Statement<object> {
  const { engine, dataSource } = database;
  const names = columns.map(({ databaseName }) => `"${databaseName}"`);
  const values = columns.map((column, index) => {
    const value = `item.value ->> ${index}`;
    if (engine === 'sqlite') return value;
    const type = dataSource.driver.normalizeType(column);
    return `CAST(${value} AS ${type}${column.isArray ? '[]' : ''})`;
  });
  const rows =
    engine === 'sqlite'
      ? 'json_each(:rows) AS item'
      : 'json_array_elements(CAST(:rows AS json)) AS item(value)';
  const insertion = `INSERT INTO "${tableName}" (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${rows}`;
  // Without a condition SQLite would take ON CONFLICT for one of a join.
  return database.prepare(() => NO_QUERY, `${insertion} WHERE true ${tail}`);
}
