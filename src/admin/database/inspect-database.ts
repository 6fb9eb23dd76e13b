import type { DataSource } from 'typeorm';
import { petstore } from '../../platform/config/called-as';
import { engineOf } from '../../platform/database/column-types';
import { findMigrationProblems } from '../../platform/database/schema/migration-problems';
import { readSchemaState, type SchemaState } from '../../platform/database/schema/schema-state';
import { missingTextIndexes } from '../../platform/database/statements/text-index';
import { type Depth, type Inspection, judged, skipped } from './inspection';
import { inspectPostgres } from './postgres-inspections';
import { inspectSqlite } from './sqlite-inspections';

/**
 * Checks that a database is intact and fits this build; changes nothing.
 *
 * @throws the driver's error if the database goes away
 */
export async function inspectDatabase(dataSource: DataSource, depth: Depth): Promise<Inspection[]> {
  const storage =
    engineOf(dataSource) === 'sqlite'
      ? inspectSqlite(dataSource, depth)
      : await inspectPostgres(dataSource, depth);
  // A damaged file may return anything, so nothing more is read from it.
  if (storage.some(({ name, status }) => name === 'integrity' && status === 'failed')) return storage;
  const state = await readSchemaState(dataSource);
  return [...storage, await migrations(dataSource, state), await schema(dataSource, state)];
}

async function migrations(dataSource: DataSource, { pending, unknown }: SchemaState): Promise<Inspection> {
  const refused = await findMigrationProblems(dataSource, pending);
  const problems = [
    ...pending.map((name) => refused.get(name) ?? `${name} is pending: run "${petstore()} db migrate".`),
    ...unknown.map((name) => `${name} is unknown to this build: the database belongs to a newer version.`),
  ];
  return judged('migrations', problems, 'Every migration is applied and known.');
}

/**
 * Statements that TypeORM's schema builder would still run to fit the tables to the entities, and the missing text indexes,
 * which it does not know.
 */
async function schema(dataSource: DataSource, { pending, unknown }: SchemaState): Promise<Inspection> {
  if (pending.length > 0 || unknown.length > 0) {
    return skipped('schema', 'The tables belong to another version and were not compared.');
  }
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  const needed = [...upQueries.map(({ query }) => query), ...(await missingTextIndexes(dataSource))];
  const problems = needed.map((query) => `The tables differ from the entities; missing: ${query}`);
  return judged('schema', problems, 'The tables match the entities.');
}
