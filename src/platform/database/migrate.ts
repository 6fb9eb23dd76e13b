import type { DataSource } from 'typeorm';
import { engineOf } from './column-types';
import { readSchemaState } from './schema-state';

/** Arbitrary, but the same in every process: migrations of one database are taken by one at a time. */
const MIGRATION_LOCK = 7_365_103;

/** The database has migrations this build does not know: it belongs to a newer version. */
export class NewerDatabaseError extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `The database was migrated by a newer version of the service (${unknown.join(', ')} is unknown to this one). Deploy that version; nothing was changed.`,
    );
  }
}

/**
 * Applies every pending migration in one transaction; several processes at once take turns.
 *
 * @returns the names applied now
 * @throws NewerDatabaseError
 */
export function migrate(dataSource: DataSource): Promise<string[]> {
  return takingTurns(dataSource, async () => {
    const { unknown } = await readSchemaState(dataSource);
    if (unknown.length > 0) throw new NewerDatabaseError(unknown);
    const applied = await dataSource.runMigrations();
    return applied.map(({ name }) => name);
  });
}

/**
 * Takes back the newest migration.
 *
 * @returns its name; undefined when there is none
 * @throws NewerDatabaseError
 */
export function revert(dataSource: DataSource): Promise<string | undefined> {
  return takingTurns(dataSource, async () => {
    const { applied, unknown } = await readSchemaState(dataSource);
    if (unknown.length > 0) throw new NewerDatabaseError(unknown);
    const newest = applied.at(-1);
    if (newest !== undefined) await dataSource.undoLastMigration();
    return newest;
  });
}

/** SQLite needs no lock of ours: the transaction takes the file's write lock at its start. */
async function takingTurns<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  if (engineOf(dataSource) !== 'postgres') return work();
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      return await work();
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await runner.query('RESET statement_timeout');
    }
  } finally {
    await runner.release();
  }
}
