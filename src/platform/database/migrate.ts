import { type DataSource, MigrationExecutor } from 'typeorm';
import { engineOf } from './column-types';
import { inTransaction } from './in-transaction';
import type { PostgresClient } from './postgres-client';
import { readSchemaState, type SchemaState } from './schema-state';

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
  return takingTurns(dataSource, async (executor) => {
    const applied = await executor.executePendingMigrations();
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
  return takingTurns(dataSource, async (executor, { applied }) => {
    const newest = applied.at(-1);
    if (newest !== undefined) await executor.undoLastMigration();
    return newest;
  });
}

/**
 * Runs the work in one transaction, on a database that nobody else migrates meanwhile and that this build knows.
 *
 * What is pending is read only when it is our turn: SQLite's transaction takes the write lock at its start, PostgreSQL
 * needs a lock of its own. All on one connection, because a pool may have no second.
 */
async function takingTurns<T>(
  dataSource: DataSource,
  work: (executor: MigrationExecutor, state: SchemaState) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const connection: unknown = await runner.connect();
  const client = engineOf(dataSource) === 'postgres' ? (connection as PostgresClient) : undefined;
  // Nor does the server say anything while another process has its turn.
  client?.limitSilence(false);
  try {
    // SQLite rebuilds a table to change it; with foreign keys on, that would delete what refers to it.
    await runner.beforeMigration();
    try {
      return await inTransaction(runner, async () => {
        if (client) {
          await runner.query('SET LOCAL statement_timeout = 0');
          await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
        }
        const state = await readSchemaState(dataSource, runner);
        if (state.unknown.length > 0) throw new NewerDatabaseError(state.unknown);
        return work(new MigrationExecutor(dataSource, runner), state);
      });
    } finally {
      await runner.afterMigration();
    }
  } finally {
    client?.limitSilence(true);
    await runner.release();
  }
}
