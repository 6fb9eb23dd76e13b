import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { type ClientBase, defaults as pgDefaults, type Pool } from 'pg';
import { AbstractLogger, type DataSource, type DataSourceOptions } from 'typeorm';
import { serviceFolder } from '../../config/package-version';
import { adaptColumnTypes } from '../column-types';
import { defineAnyCase } from './any-case';
import { parseDatabaseUrl } from './database-url';
import { PetstoreDataSource } from './petstore-data-source';
import { PostgresClient } from './postgres-client';
import { exactParser } from './postgres-values';
import { refuseCollisions, type SchemaPart } from './schema-parts';
import { rememberFile } from './sqlite-file';

/** The settings the database layer reads. Times are in milliseconds. */
export interface DatabaseSettings {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly databaseStatementTimeoutMs: number;
}

/** Commands may have statements that take hours; a server that says nothing is noticed sooner. */
const LONGEST_POOL_WAIT_MS = 60_000;

/** Folder of the service without features; in it the rooms that have entities. */
const PLATFORM = join(__dirname, '..', '..', '..');
const ROOMS_WITH_ENTITIES = ['platform', 'auth', 'admin'];

/**
 * The one builder of TypeORM options: the service, the CLI, the migrations, `ormconfig.ts` and the tests use it.
 * Entities and migrations of the service are found by their file names, so no list of them has to be kept.
 *
 * @param features what modules of other packages bring along
 * @throws Error when two of them, or one of them and this project, have the same table or migration
 */
export function createDataSource(
  settings: DatabaseSettings,
  features: readonly SchemaPart[] = [],
  isReadOnly = false,
): PetstoreDataSource {
  const options = { ...engineOptions(settings, isReadOnly), ...schemaOptions(features) };
  const dataSource = new PetstoreDataSource(options as DataSourceOptions);
  adaptColumnTypes(dataSource);
  // Not among the options: the TypeORM CLI, which asks for output, makes its own logger then.
  dataSource.logger = new QuietLogger();
  return dataSource;
}

function schemaOptions(features: readonly SchemaPart[]) {
  const parts = [
    {
      owner: 'The service',
      entities: ROOMS_WITH_ENTITIES.flatMap((room) => entitiesIn(join(PLATFORM, room))),
      migrations: migrationsIn(join(PLATFORM, 'platform', 'migrations')),
    },
    {
      owner: 'The service',
      entities: entitiesIn(serviceFolder()),
      migrations: ownMigrations(),
    },
    ...features,
  ];
  refuseCollisions(parts);
  return {
    entities: [...new Set(parts.flatMap(({ entities }) => entities))],
    migrations: [...new Set(parts.flatMap(({ migrations }) => migrations))],
    // An index of a table that serves is made outside of transactions.
    migrationsTransactionMode: 'each',
    synchronize: false,
  };
}

/** Migrations of the service itself: neither the platform's nor those of other packages. */
export function ownMigrations(): Function[] {
  return migrationsIn(join(serviceFolder(), 'migrations'));
}

function entitiesIn(folder: string): Function[] {
  return exportedClasses(folder, /\.entity\.[jt]s$/);
}

function migrationsIn(folder: string): Function[] {
  return exportedClasses(folder, /\.[jt]s$/);
}

function exportedClasses(folder: string, pattern: RegExp): Function[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !/\.(d|spec)\.ts$/.test(file))
    .sort()
    .flatMap((file) => Object.values(require(join(folder, file)) as Record<string, unknown>))
    .filter((value): value is Function => typeof value === 'function');
}

function engineOptions(settings: DatabaseSettings, isReadOnly: boolean) {
  const location = parseDatabaseUrl(settings.databaseUrl);
  return location.engine === 'sqlite'
    ? {
        type: 'better-sqlite3',
        // Where it is a dependency of this package, npm may have put it where TypeORM does not find it.
        driver: SqliteDatabase,
        database: location.file,
        fileMustExist: true,
        readonly: isReadOnly,
        timeout: settings.databaseStatementTimeoutMs,
        prepareDatabase: prepareSqlite,
      }
    : {
        type: 'postgres',
        url: location.url,
        installExtensions: false,
        // `gen_random_uuid()`, which every PostgreSQL has; TypeORM's default is of an extension.
        uuidExtension: 'pgcrypto',
        // A dropped idle connection is replaced by the pool; the statement that needs it reports what failed.
        poolErrorHandler: () => undefined,
        extra: {
          ...postgresPoolOptions(settings),
          verify: verifierFor(location.url),
        },
      };
}

/**
 * Returns the check that refuses a new connection to a standby, unless the address accepts any server. After a failover the
 * address can lead to a former primary for a moment.
 */
function verifierFor(url: string) {
  const isAnyGood = new URL(url).searchParams.get('target_session_attrs') === 'any';
  return isAnyGood ? undefined : PostgresClient.requirePrimary;
}

/** Data sources behind a pooler that mixes up the statements that its clients have prepared. */
const mixedUp = new WeakSet<DataSource>();

/** Lets the connections of a data source prepare each statement anew. To be called before it prepares any. */
export function keepNoStatements(dataSource: DataSource): void {
  mixedUp.add(dataSource);
}

/** Tells whether connections keep the statements that they have prepared. */
export function keepsStatements(dataSource: DataSource): boolean {
  return !mixedUp.has(dataSource);
}

/** The SQLite connection under a data source. */
export function sqliteOf(dataSource: DataSource): SqliteDatabase.Database {
  return (dataSource.driver as unknown as { databaseConnection: SqliteDatabase.Database }).databaseConnection;
}

/** The PostgreSQL pool under a data source. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}

/** Time that a request waits for a connection before it gets 503: much less than a statement may take, so that waits stay short. */
export function poolWaitMs({
  databaseStatementTimeoutMs,
}: Pick<DatabaseSettings, 'databaseStatementTimeoutMs'>): number {
  return Math.min((databaseStatementTimeoutMs * 2) / 5, LONGEST_POOL_WAIT_MS);
}

/** Options of every pool of PostgreSQL connections, to whatever server. */
export function postgresPoolOptions(settings: DatabaseSettings) {
  return {
    // The types of pg forget that a pool gives its options to each client.
    Client: PostgresClient as unknown as new () => ClientBase,
    application_name: 'petstore',
    max: settings.databasePoolSize,
    connectionTimeoutMillis: poolWaitMs(settings),
    statement_timeout: settings.databaseStatementTimeoutMs,
    types: { getTypeParser: exactParser },
  };
}

/** WAL lets readers work while one writer writes; FULL makes an acknowledged write survive a power cut. */
function prepareToWrite(database: SqliteDatabase.Database): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  // What is deleted or overwritten is gone from the file: people can ask for that.
  database.pragma('secure_delete = ON');
}

function prepareSqlite(database: SqliteDatabase.Database): void {
  try {
    rememberFile(database);
    if (!database.readonly) prepareToWrite(database);
    // In KiB; the driver's default is twice as much, and what is not here is in the system's file cache.
    database.pragma('cache_size = -8192');
    defineAnyCase(database);
  } catch (error) {
    // TypeORM forgets it: never closed, it would leave its -wal and -shm files beside a file it cannot read.
    database.close();
    throw error;
  }
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    // A transaction that takes the write lock only at its first write fails at once, busy timeout or not, when
    // another process has written since its first read: so take it at the start.
    const mayWrite = sql === 'BEGIN TRANSACTION' && !database.readonly;
    const statement = prepare(mayWrite ? 'BEGIN IMMEDIATE TRANSACTION' : sql);
    // Rows hold integers as bigint: a double would round above 2^53. TypeORM counts with what a write reports.
    return statement.reader ? statement.safeIntegers(true) : statement;
  }) as typeof prepare;
}

// The local form it would send else has no seconds in its offset, as zones had before they were standardised.
pgDefaults.parseInputDatesAsUTC = true;

/**
 * Says nothing. TypeORM would print failed migrations and warnings to the standard output, which holds the data of
 * commands; what fails is thrown as well.
 */
class QuietLogger extends AbstractLogger {
  protected writeLog(): void {}
}
