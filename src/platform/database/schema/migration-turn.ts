import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { petstore } from '../../config/called-as';
import { engineOf } from '../column-types';
import { hasAdvisoryLocks } from '../driver/advisory-locks';
import { driverCode } from '../driver/driver-errors';
import { inTransaction } from '../driver/in-transaction';
import { isOfPooler } from '../driver/pooler-probe';
import type { PostgresClient } from '../driver/postgres-client';
import { migrationName } from '../driver/schema-parts';
import { readSchemaState, type SchemaState } from './schema-state';

/** Arbitrary, but the same in every process: migrations of one database are taken by one at a time. */
const MIGRATION_LOCK = 7_365_103;

/**
 * Longest wait of a migration for a table, in milliseconds. Meanwhile, requests for the table wait behind it, so it gives up
 * before they do, lets them through, and tries again.
 */
const LOCK_WAIT_MS = 1_000;

/** Reports that another process migrates the database. */
export class NotOurTurnError extends Error {
  constructor() {
    super('Another process migrates the database.');
  }
}

/** A time in which no other process migrates the database. */
export interface MigrationTurn {
  readonly executor: MigrationExecutor;
  readonly runner: QueryRunner;
  /** The state at its beginning. */
  readonly state: SchemaState;
  /** False if it has no transaction, for a migration that wants none. */
  readonly isWhole: boolean;
}

/** Work of a turn. */
export interface MigrationWork<T> {
  /** Returns the name of the migration that the work begins with. */
  readonly first: (state: SchemaState) => string | undefined;
  readonly work: (turn: MigrationTurn) => Promise<T>;
}

/**
 * Does the work in one transaction, unless its first migration wants none; SQLite and poolers always have one.
 *
 * Pending migrations are read only when it is our turn: SQLite's transaction takes the write lock at its start, PostgreSQL
 * needs a lock of its own; without such locks the second of two fails. All on one connection, because a pool may have no second.
 *
 * @throws NotOurTurnError when another process migrates, or the error of the work
 */
export async function takeTurn<T>(dataSource: DataSource, { first, work }: MigrationWork<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    return await takeTurnOn(runner, dataSource, { first, work });
  } finally {
    await runner.release();
  }
}

async function takeTurnOn<T>(
  runner: QueryRunner,
  dataSource: DataSource,
  { first, work }: MigrationWork<T>,
): Promise<T> {
  const isPostgres = engineOf(dataSource) === 'postgres';
  const client = isPostgres ? ((await runner.connect()) as PostgresClient) : undefined;
  const wantsSession = isPostgres && wantsNone(dataSource, first(await readSchemaState(dataSource, runner)));
  // Statements of a session behind a pooler may each get another connection.
  const isPooled = wantsSession && client !== undefined && (await isOfPooler(client));
  const isWhole = !wantsSession || isPooled;
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = isWhole ? 'all' : 'none';
  const workNow = async () => {
    const state = await readSchemaState(dataSource, runner);
    // Another process has had its turn since.
    if (isPostgres && wantsNone(dataSource, first(state)) !== wantsSession) throw new NotOurTurnError();
    return work({ executor, runner, state, isWhole });
  };
  // Statements of migrations have no time limit, and the server says nothing meanwhile.
  client?.limitSilence(false);
  try {
    // SQLite rebuilds a table to change it; with foreign keys on, that would delete the rows that refer to it.
    await runner.beforeMigration();
    try {
      if (!client) return await inTransaction(runner, workNow);
      if (!isWhole) return await inOurSession(runner, workNow);
      return await inOurTransaction(runner, isPooled ? () => refusingSessions(workNow) : workNow);
    } finally {
      await runner.afterMigration();
    }
  } finally {
    client?.limitSilence(true);
  }
}

function wantsNone({ migrations }: DataSource, name: string | undefined): boolean {
  return migrations.some((each) => migrationName(each) === name && each.transaction === false);
}

/** Limits of a migration, for a transaction or a session. */
const limits = (scope: 'LOCAL' | 'SESSION') =>
  `SET ${scope} statement_timeout = 0; SET ${scope} lock_timeout = ${LOCK_WAIT_MS}`;

function inOurTransaction<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  return inTransaction(runner, async () => {
    // Whatever the server's default: changes of other processes before our turn have to be seen after it.
    await runner.query(`SET TRANSACTION ISOLATION LEVEL READ COMMITTED; ${limits('LOCAL')}`);
    await lock(runner, 'pg_try_advisory_xact_lock');
    return work();
  });
}

async function inOurSession<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  const isLocked = await lock(runner, 'pg_try_advisory_lock');
  try {
    await runner.query(limits('SESSION'));
    return await work();
  } finally {
    // On a lost connection the server has taken all of it back.
    await runner.query('RESET statement_timeout; RESET lock_timeout').catch(() => undefined);
    if (isLocked) {
      await runner.query(`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`).catch(() => undefined);
    }
  }
}

/**
 * Takes the lock of migrations without waiting for it: a statement that waits would keep `CREATE INDEX CONCURRENTLY` of the other
 * process waiting, and both would wait for ever.
 *
 * @returns false if the server has no such locks
 * @throws NotOurTurnError
 */
async function lock(
  runner: QueryRunner,
  take: 'pg_try_advisory_xact_lock' | 'pg_try_advisory_lock',
): Promise<boolean> {
  if (!(await hasAdvisoryLocks(runner))) return false;
  const [row] = (await runner.query(`SELECT ${take}(${MIGRATION_LOCK}) AS "isOurs"`)) as [
    { isOurs: boolean },
  ];
  if (!row.isOurs) throw new NotOurTurnError();
  return true;
}

/** @throws Error that names the way, when a statement of the work runs in no transaction (SQLSTATE 25001) */
async function refusingSessions<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (driverCode((error as Error).cause ?? error) !== '25001') throw error;
    throw new Error(
      `The next migration runs without a transaction, which a pooler such as PgBouncer does not let it: run "${petstore()} db migrate" with a DATABASE_URL that leads to the server itself.`,
      { cause: error },
    );
  }
}
