import {
  type DataSource,
  type QueryRunner,
  type TableCheck,
  type TableForeignKey,
  TableIndex,
  type TableUnique,
} from 'typeorm';
import { engineOf } from '../column-types';
import { ServiceUnavailableError } from '../../errors/http-errors';
import { inTransaction } from './in-transaction';
import type { PostgresClient } from './postgres-client';
import { hasInvalidIndex, makeIndex } from './requirements';

/**
 * Adds a CHECK in a migration. PostgreSQL holds new and changed rows to it at once, and looks at the others after the migrations,
 * while requests go on; SQLite looks at all of them now.
 */
export async function addCheck(queryRunner: QueryRunner, table: string, check: TableCheck): Promise<void> {
  if (engineOf(queryRunner.dataSource) === 'sqlite') {
    return queryRunner.createCheckConstraint(table, check);
  }
  await queryRunner.query(
    `ALTER TABLE "${table}" ADD CONSTRAINT "${check.name}" CHECK (${check.expression}) NOT VALID`,
  );
}

/**
 * Adds a column with CHECKs in a migration, as {@link addCheck} does; without making the table anew on SQLite.
 *
 * @param column SQL of the column, with its name
 */
export async function addCheckedColumn(
  queryRunner: QueryRunner,
  table: string,
  column: string,
  ...checks: readonly TableCheck[]
): Promise<void> {
  const isSqlite = engineOf(queryRunner.dataSource) === 'sqlite';
  const within = checks.map(({ name, expression }) => ` CONSTRAINT "${name}" CHECK (${expression})`);
  await queryRunner.query(`ALTER TABLE "${table}" ADD COLUMN ${column}${isSqlite ? within.join('') : ''}`);
  if (isSqlite) return;
  for (const check of checks) await addCheck(queryRunner, table, check);
}

/** Adds a foreign key in a migration, as {@link addCheck} does a CHECK. */
export async function addForeignKey(
  queryRunner: QueryRunner,
  table: string,
  foreignKey: TableForeignKey,
): Promise<void> {
  if (engineOf(queryRunner.dataSource) === 'sqlite') return queryRunner.createForeignKey(table, foreignKey);
  const { name, columnNames, referencedTableName, referencedColumnNames, onDelete, onUpdate, deferrable } =
    foreignKey;
  const sql = [
    `ALTER TABLE "${table}" ADD CONSTRAINT "${name}" FOREIGN KEY (${list(columnNames)})`,
    `REFERENCES "${referencedTableName}" (${list(referencedColumnNames)})`,
    ...(onDelete ? [`ON DELETE ${onDelete}`] : []),
    ...(onUpdate ? [`ON UPDATE ${onUpdate}`] : []),
    ...(deferrable ? [`DEFERRABLE ${deferrable}`] : []),
    'NOT VALID',
  ];
  await queryRunner.query(sql.join(' '));
}

/**
 * Adds an index in a migration, unless someone has made it before by hand, CONCURRENTLY.
 *
 * @throws LargeTableError on PostgreSQL when writers would wait for too many rows
 */
export async function addIndex(queryRunner: QueryRunner, table: string, index: TableIndex): Promise<void> {
  // TypeORM makes tables of SQLite anew with the indexes that it knows.
  if (engineOf(queryRunner.dataSource) === 'sqlite') return queryRunner.createIndex(table, index);
  const { name = '', columnNames: columns } = index;
  await makeIndex(queryRunner, { name, table, columns }, indexSql('INDEX', table, index));
}

/** Wait of an index for transactions that began before it, in seconds. Meanwhile nobody waits behind it. */
const BUILD_WAIT_S = 60;

/**
 * Adds an index in a migration with `transaction = false`, while rows are read and written. On PostgreSQL it first drops what an
 * interrupted creation has left; on SQLite nothing serves meanwhile. Behind a pooler the migration has a transaction all the same,
 * and the index is made as {@link addIndex} does.
 *
 * @throws LargeTableError behind a pooler, when writers would wait for too many rows
 */
export async function addIndexConcurrently(
  queryRunner: QueryRunner,
  table: string,
  index: TableIndex,
): Promise<void> {
  if (queryRunner.isTransactionActive) return addIndex(queryRunner, table, index);
  if (engineOf(queryRunner.dataSource) === 'sqlite') return queryRunner.createIndex(table, index);
  const { name = '' } = index;
  if (await hasInvalidIndex(queryRunner, name)) await queryRunner.query(`DROP INDEX CONCURRENTLY "${name}"`);
  const [before] = (await queryRunner.query(`SELECT current_setting('lock_timeout') AS wait`)) as [
    { wait: string },
  ];
  await queryRunner.query(`SET lock_timeout = '${BUILD_WAIT_S}s'`);
  try {
    await queryRunner.query(indexSql('INDEX CONCURRENTLY', table, index));
  } finally {
    await queryRunner.query(`SET lock_timeout = '${before.wait}'`);
  }
}

function indexSql(kind: string, table: string, index: TableIndex): string {
  const { name, columnNames, isUnique, isSpatial, type = isSpatial ? 'gist' : 'btree', where } = index;
  const condition = where ? ` WHERE ${where}` : '';
  return `CREATE ${isUnique ? 'UNIQUE ' : ''}${kind} IF NOT EXISTS "${name}" ON "${table}" USING ${type} (${list(columnNames)})${condition}`;
}

/** Adds a unique constraint in a migration; on PostgreSQL from an index of its name, as {@link addIndex} does. */
export async function addUnique(queryRunner: QueryRunner, table: string, unique: TableUnique): Promise<void> {
  if (engineOf(queryRunner.dataSource) === 'sqlite' || unique.deferrable) {
    return queryRunner.createUniqueConstraint(table, unique);
  }
  const { name = '', columnNames } = unique;
  await addIndex(queryRunner, table, new TableIndex({ name, columnNames, isUnique: true }));
  await queryRunner.query(`ALTER TABLE "${table}" ADD CONSTRAINT "${name}" UNIQUE USING INDEX "${name}"`);
}

function list(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

const UNCHECKED = `
  SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname) AS validation
  FROM pg_constraint WHERE NOT convalidated AND connamespace = current_schema()::regnamespace ORDER BY oid`;

/** Finds constraints that are not checked for older rows yet: the statement for each that does it. None on SQLite. */
export async function uncheckedConstraints(queryRunner: QueryRunner): Promise<string[]> {
  if (engineOf(queryRunner.dataSource) === 'sqlite') return [];
  const found = (await queryRunner.query(UNCHECKED)) as { validation: string }[];
  return found.map(({ validation }) => validation);
}

/**
 * Checks constraints for older rows, each in a transaction of its own, which keeps others only from changing the table. One that
 * fails stays as it is, and `db check` names it.
 *
 * @param except statements for those that are left alone
 */
export async function checkOlderRows(dataSource: DataSource, except: readonly string[]): Promise<void> {
  if (engineOf(dataSource) === 'sqlite') return;
  const runner = dataSource.createQueryRunner();
  try {
    const added = (await uncheckedConstraints(runner)).filter((validation) => !except.includes(validation));
    const client = (await runner.connect()) as PostgresClient;
    client.limitSilence(false);
    for (const validation of added) {
      await inTransaction(runner, async () => {
        await runner.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '1s'`);
        await runner.query(validation);
      }).catch(() => undefined);
    }
    client.limitSilence(true);
  } catch (error) {
    // The migrations are applied, whatever has become of the connection.
    if (!(error instanceof ServiceUnavailableError)) throw error;
  } finally {
    await runner.release();
  }
}
