import { setTimeout as pause } from 'node:timers/promises';
import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { hasAdvisoryLocks } from '../driver/advisory-locks';
import { engineOf } from '../column-types';
import { ServiceUnavailableError } from '../../errors/http-errors';
import { driverCode, isConflict, isUnavailable } from '../driver/driver-errors';
import { inTransaction } from '../driver/in-transaction';
import type { PostgresClient } from '../driver/postgres-client';
import { checkOlderRows, uncheckedConstraints } from '../driver/late-constraints';
import { UnfitRowsError } from '../driver/requirements';
import { readSchemaState, type SchemaState } from './schema-state';

/** Arbitrary, but the same in every process: migrations of one database are taken by one at a time. */
const MIGRATION_LOCK = 7_365_103;

/**
 * Longest wait of a migration for a table, in milliseconds. Meanwhile, requests for the table wait behind it, so it gives up
 * before they do, lets them through, and tries again.
 */
const LOCK_WAIT_MS = 1_000;
const ATTEMPTS = 15;
const PAUSE_MS = 2_000;

/** SQLSTATE of a lock that was not had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** A table is in use by a transaction that does not end. */
class TableInUseError extends Error {
  constructor(cause: unknown) {
    super(
      'The migrations need a table that a long transaction uses, and gave up so as not to delay requests. Nothing was changed: end the transaction (pg_stat_activity shows it) and migrate again.',
      { cause },
    );
  }
}

/** The database has migrations this build does not know: it belongs to a newer version. */
export class NewerDatabaseError extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `The database was migrated by a newer version of the service (${unknown.join(', ')} is unknown to this one). Deploy that version; nothing was changed.`,
    );
  }
}

/** A migration could not be applied; the message names it and says why. */
class MigrationFailedError extends Error {
  constructor(name: string, cause: unknown) {
    const { message } = cause as Error;
    const advice = cause instanceof UnfitRowsError ? MEND_ROWS : '';
    super(`${name} cannot be applied: ${message.replace(/\.?$/, '.')} Nothing was changed${advice}.`, {
      cause,
    });
  }
}

/** Commands of this version expect the tables that it cannot have yet. */
const MEND_ROWS =
  ', and the previous version still works on the database: correct the rows with it or by SQL, then migrate again';

/**
 * Applies every pending migration in one transaction; several processes at once take turns. Constraints that they leave to be
 * checked later are checked for older rows afterwards.
 *
 * @returns the names applied now
 * @throws NewerDatabaseError, TableInUseError, MigrationFailedError, or ServiceUnavailableError when the database went away
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  let before: readonly string[] = [];
  const applied = await takingTurns(dataSource, async (executor, { pending }, runner) => {
    before = await uncheckedConstraints(runner);
    try {
      await executor.executePendingMigrations();
    } catch (error) {
      const failed = pending[executor.applied.length];
      throw failed === undefined ? error : new MigrationFailedError(failed, error);
    }
    return executor.applied;
  });
  if (applied.length > 0) await checkOlderRows(dataSource, before);
  return applied;
}

/**
 * Takes back the newest migration.
 *
 * @returns its name; undefined when no migration is applied
 * @throws NewerDatabaseError, TableInUseError, or ServiceUnavailableError when the database went away
 */
export function revert(dataSource: DataSource): Promise<string | undefined> {
  return takingTurns(dataSource, async (executor, { applied }) => {
    const newest = applied.at(-1);
    if (newest !== undefined) await executor.undoLastMigration();
    return newest;
  });
}

async function takingTurns<T>(dataSource: DataSource, work: MigrationWork<T>): Promise<T> {
  try {
    return await tryingAgain(dataSource, work);
  } catch (error) {
    const failed: unknown = error instanceof MigrationFailedError ? error.cause : error;
    const cause: unknown = failed instanceof ServiceUnavailableError ? failed.cause : failed;
    if (!Error.isError(cause) || !isUnavailable(cause)) throw error;
    const message = `The database was lost during the migrations: ${cause.message.replace(/\.?$/, '.')} Migrate again.`;
    throw new ServiceUnavailableError({ message, cause });
  }
}

/** Tries again while another transaction is in the way, or when another process has migrated meanwhile. */
async function tryingAgain<T>(dataSource: DataSource, work: MigrationWork<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const before = await readSchemaState(dataSource);
    try {
      return await takingTurn(dataSource, work);
    } catch (error) {
      const cause: unknown = error instanceof MigrationFailedError ? error.cause : error;
      const isInTheWay = driverCode(cause) === LOCK_NOT_AVAILABLE;
      const mayTryAgain = isInTheWay || isConflict(cause) || (await hasMovedOn(dataSource, before));
      if (!mayTryAgain) throw error;
      if (attempt === ATTEMPTS) throw isInTheWay ? new TableInUseError(error) : error;
    }
    await pause(PAUSE_MS);
  }
}

/**
 * Tells whether another process has applied a migration meanwhile. Without advisory locks two processes may apply the same one;
 * for the second, the tables are there already.
 */
async function hasMovedOn(dataSource: DataSource, before: SchemaState): Promise<boolean> {
  const { applied } = await readSchemaState(dataSource);
  return applied.length !== before.applied.length;
}

/** Counts the migrations that it has applied, which the error of a migration does not tell. */
class CountingExecutor extends MigrationExecutor {
  readonly applied: string[] = [];

  protected override async insertExecutedMigration(runner: QueryRunner, migration: Migration): Promise<void> {
    await super.insertExecutedMigration(runner, migration);
    this.applied.push(migration.name);
  }
}

/** Read committed, whatever the server's default: changes of other processes before our turn have to be seen after it. */
const BEGINNING =
  'SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';

type MigrationWork<T> = (executor: CountingExecutor, state: SchemaState, runner: QueryRunner) => Promise<T>;

/**
 * Runs the work in one transaction, on a database that no other process migrates meanwhile and that this build knows.
 *
 * Pending migrations are read only when it is our turn: SQLite's transaction takes the write lock at its start, PostgreSQL
 * needs a lock of its own; without such locks the second of two fails, and tries again. All on one connection, because a pool
 * may have no second.
 */
async function takingTurn<T>(dataSource: DataSource, work: MigrationWork<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const connection: unknown = await runner.connect();
  const client = engineOf(dataSource) === 'postgres' ? (connection as PostgresClient) : undefined;
  // Nor does the server say anything while another process has its turn.
  client?.limitSilence(false);
  try {
    // SQLite rebuilds a table to change it; with foreign keys on, that would delete the rows that refer to it.
    await runner.beforeMigration();
    try {
      return await inTransaction(runner, async () => {
        if (client) {
          await runner.query(BEGINNING);
          if (await hasAdvisoryLocks(runner)) {
            await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
          }
          await runner.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
        }
        const state = await readSchemaState(dataSource, runner);
        if (state.unknown.length > 0) throw new NewerDatabaseError(state.unknown);
        return work(new CountingExecutor(dataSource, runner), state, runner);
      });
    } finally {
      await runner.afterMigration();
    }
  } finally {
    client?.limitSilence(true);
    await runner.release();
  }
}
