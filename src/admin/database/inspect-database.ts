import type { DataSource } from 'typeorm';
import { engineOf } from '../../platform/database/column-types';
import { findMigrationProblems } from '../../platform/database/schema/migration-problems';
import { readSchemaState, type SchemaState } from '../../platform/database/schema/schema-state';
import { missingTextIndexes } from '../../platform/database/statements/text-index';
import { type Depth, type Inspection, judged, skipped } from './inspection';
import { inspectPostgres } from './postgres-inspections';
import { inspectSqlite } from './sqlite-inspections';

/**
 * Looks whether a database is sound and fits this build, and changes nothing.
 *
 * @throws what the driver throws when the database goes away
 */
export async function inspectDatabase(dataSource: DataSource, depth: Depth): Promise<Inspection[]> {
  const storage =
    engineOf(dataSource) === 'sqlite'
      ? inspectSqlite(dataSource, depth)
      : await inspectPostgres(dataSource, depth);
  // Of a damaged file no more can be told: what is read from it may be anything.
  if (storage.some(({ name, status }) => name === 'integrity' && status === 'failed')) return storage;
  const state = await readSchemaState(dataSource);
  return [...storage, await migrations(dataSource, state), await schema(dataSource, state)];
}

async function migrations(dataSource: DataSource, { pending, unknown }: SchemaState): Promise<Inspection> {
  const refused = await findMigrationProblems(dataSource, pending);
  const problems = [
    ...pending.map((name) => refused.get(name) ?? `${name} is pending: run "petstore db migrate".`),
    ...unknown.map((name) => `${name} is unknown to this build: the database belongs to a newer version.`),
  ];
  return judged('migrations', problems, 'Every migration is applied, and none is unknown.');
}

/** What TypeORM's schema builder would still do to make the tables fit the entities, and the indexes that it does not know. */
async function schema(dataSource: DataSource, { pending, unknown }: SchemaState): Promise<Inspection> {
  if (pending.length > 0 || unknown.length > 0) {
    return skipped('schema', 'The tables belong to another version, so they are not compared with this one.');
  }
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  const needed = [...upQueries.map(({ query }) => query), ...(await missingTextIndexes(dataSource))];
  const problems = needed.map((query) => `To fit the entities, this would be needed: ${query}`);
  return judged('schema', problems, 'The tables are as the entities say.');
}
