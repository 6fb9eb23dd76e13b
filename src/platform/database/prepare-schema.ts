import type { DataSource } from 'typeorm';
import { engineOf } from './column-types';
import { migrate, NewerDatabaseError } from './migrate';
import { readSchemaState } from './schema-state';

/** What has become of a database's schema. */
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
 * @throws NewerDatabaseError for a file of a newer version: a file has only one owner, while on PostgreSQL nodes of the two
 * versions before go on beside newer ones
 */
export async function prepareSchema(dataSource: DataSource, mayMigrate: boolean): Promise<PreparedSchema> {
  const { pending, unknown } = await readSchemaState(dataSource);
  if (unknown.length > 0 && engineOf(dataSource) === 'sqlite') throw new NewerDatabaseError(unknown);
  if (pending.length === 0 || unknown.length > 0 || !mayMigrate) return { applied: [], pending, unknown };
  return { applied: await migrate(dataSource), pending: [], unknown };
}
