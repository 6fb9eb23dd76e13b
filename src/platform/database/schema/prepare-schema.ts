import type { DataSource } from 'typeorm';
import type { DatabaseUse } from '../../cli/cli';
import { engineOf } from '../column-types';
import { migrate, type MigrationObserver, NewerDatabaseError } from './migrate';
import { assertHasTables } from '../driver/missing-database';
import { readSchemaState } from './schema-state';

/** Use of a database, and permission to migrate its schema. */
export interface SchemaUse extends DatabaseUse {
  readonly mayMigrate: boolean;
  readonly observer?: MigrationObserver;
}

/** Outcome of preparing a database's schema. */
export interface PreparedSchema {
  /** Names of the migrations applied now. */
  readonly applied: readonly string[];
  /** Names still lacking: this build cannot work on the database. */
  readonly pending: readonly string[];
  /** Names this build does not know, which it can live with. */
  readonly unknown: readonly string[];
}

/**
 * Sees whether a database fits this build, and migrates it where that is wanted.
 *
 * @throws MissingDatabaseError for a file without tables that may not get them; NewerDatabaseError for a file of a newer version: a file has only one owner, while on PostgreSQL nodes of the two
 * versions before go on beside newer ones
 */
export async function prepareSchema(
  dataSource: DataSource,
  { mayCreate = false, mayMigrate, observer }: SchemaUse,
): Promise<PreparedSchema> {
  const { applied, pending, unknown } = await readSchemaState(dataSource);
  if (!mayCreate) assertHasTables(dataSource, applied);
  if (unknown.length > 0 && engineOf(dataSource) === 'sqlite') throw new NewerDatabaseError(unknown);
  if (pending.length === 0 || unknown.length > 0 || !mayMigrate) return { applied: [], pending, unknown };
  return { applied: await migrate(dataSource, observer), pending: [], unknown };
}
