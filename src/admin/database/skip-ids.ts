import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import { engineOf } from '../../platform/database/column-types';
import { inTransaction } from '../../platform/database/driver/in-transaction';

/** A table whose next ids were set ahead. */
export interface SkippedIds {
  readonly table: string;
  /** The id of its next row. */
  readonly nextId: bigint;
}

/**
 * Sets the next id ahead in every table that numbers its rows. A restored database would otherwise assign ids that belonged to
 * rows made after the backup, and that clients have kept.
 *
 * @param count the number of ids to skip
 */
export async function skipIds(dataSource: DataSource, count: number): Promise<SkippedIds[]> {
  const numbered = dataSource.entityMetadatas.flatMap((entity) => {
    const key = entity.generatedColumns.find(({ generationStrategy }) => generationStrategy === 'increment');
    return key ? [{ entity, key: key.databaseName }] : [];
  });
  const skip = engineOf(dataSource) === 'sqlite' ? skipOnSqlite : skipOnPostgres;
  const runner = dataSource.createQueryRunner();
  try {
    return await inTransaction(runner, async () => {
      const skipped: SkippedIds[] = [];
      for (const { entity, key } of numbered) {
        const last = await skip(runner, entity, key, count);
        skipped.push({ table: entity.tableName, nextId: last + 1n });
      }
      return skipped.sort((one, other) => one.table.localeCompare(other.table));
    });
  } finally {
    await runner.release();
  }
}

async function skipOnSqlite(
  runner: QueryRunner,
  { tableName }: EntityMetadata,
  key: string,
  count: number,
): Promise<bigint> {
  const [row] = (await runner.query(
    `SELECT max(ifnull((SELECT seq FROM sqlite_sequence WHERE name = ?), 0), ifnull((SELECT max("${key}") FROM "${tableName}"), 0)) + ${count} AS last`,
    [tableName],
  )) as [{ last: bigint }];
  // A table that never had a row has no entry there, and SQLite's table has no unique names for an upsert.
  await runner.query('DELETE FROM sqlite_sequence WHERE name = ?', [tableName]);
  await runner.query('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [tableName, row.last]);
  return row.last;
}

async function skipOnPostgres(
  runner: QueryRunner,
  { tableName }: EntityMetadata,
  key: string,
  count: number,
): Promise<bigint> {
  const [{ sequence }] = (await runner.query('SELECT pg_get_serial_sequence($1, $2) AS sequence', [
    `"${tableName}"`,
    key,
  ])) as [{ sequence: string }];
  const [{ last }] = (await runner.query(
    `SELECT setval($1::regclass, greatest((SELECT last_value FROM ${sequence}), (SELECT max("${key}") FROM "${tableName}")) + ${count})::text AS last`,
    [sequence],
  )) as [{ last: string }];
  return BigInt(last);
}
