import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Pool, type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import type { DatabaseUse } from '../cli/cli';
import { createDataSource, type DatabaseSettings, keepsStatements, postgresPoolOptions } from './data-source';
import { parseDatabaseUrl } from './database-url';
import { driverCode } from './driver-errors';
import { missingFile } from './missing-database';
import type { SchemaPart } from './schema-parts';
import { makePrivate, makePrivateFile } from './sqlite-file';
import { poolOf } from './statement';

/** SQLSTATE of a statement whose name another one on the same connection of the server has. */
const DUPLICATE_STATEMENT = '42P05';

/** How often two clients prepare a statement of one name: others may be served on the connection between the first and the second. */
const ROUNDS = 5;

/** The database cannot be opened; the message is one sentence for the operator. */
export class DatabaseOpenError extends Error {}

/**
 * Connects to the database of the settings.
 *
 * @param features what modules of other packages bring along (see {@link createDataSource})
 * @param use that of a database that is there, unless given
 * @throws MissingDatabaseError, or DatabaseOpenError saying in one sentence what is wrong, never with a password
 */
export async function openDatabase(
  settings: DatabaseSettings,
  features: readonly SchemaPart[] = [],
  { mayCreate = false }: DatabaseUse = {},
): Promise<DataSource> {
  const location = parseDatabaseUrl(settings.databaseUrl);
  const file = location.engine === 'sqlite' && location.file !== ':memory:' ? location.file : undefined;
  if (file !== undefined) assertUsableFile(file, mayCreate);
  const dataSource = createDataSource(settings, features);
  try {
    await dataSource.initialize();
    // Only now: what it names by mistake stays as it was.
    if (file !== undefined) makePrivate(file);
    else if (location.engine === 'postgres') await assertStatementsKept(dataSource, settings);
    return dataSource;
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    throw error instanceof DatabaseOpenError
      ? error
      : new DatabaseOpenError(explain(location, error), { cause: error });
  }
}

async function assertStatementsKept(dataSource: DataSource, settings: DatabaseSettings): Promise<void> {
  if (!(await sharesStatements(dataSource, settings))) return;
  throw new DatabaseOpenError(
    'The pooler before PostgreSQL mixes up the statements that its clients prepare: set DATABASE_PREPARED_STATEMENTS=false, or let it keep them apart (PgBouncer 1.21 or newer with max_prepared_statements, or with pool_mode=session).',
  );
}

/**
 * Whether a pooler stands before a PostgreSQL server that gives its connections to several clients in turn, and mixes up the statements
 * that they prepare: the second of two that use the same name is refused.
 *
 * @throws what the driver throws
 */
async function sharesStatements(dataSource: DataSource, settings: DatabaseSettings): Promise<boolean> {
  if (!keepsStatements(dataSource) || !(await isPooled(dataSource))) return false;
  const pool = new Pool({ ...postgresPoolOptions(settings), connectionString: settings.databaseUrl, max: 2 });
  const clients: PoolClient[] = [];
  try {
    clients.push(await pool.connect(), await pool.connect());
    for (let round = 0; round < ROUNDS; round++) {
      const statement = { name: `petstore_probe_${round}`, text: 'SELECT 1' };
      for (const client of clients) await client.query(statement);
    }
    return false;
  } catch (error) {
    if (driverCode(error) === DUPLICATE_STATEMENT) return true;
    throw error;
  } finally {
    for (const client of clients) client.release();
    await pool.end();
  }
}

/** A pooler makes up the process that it tells its clients of. */
async function isPooled(dataSource: DataSource): Promise<boolean> {
  const client = (await poolOf(dataSource).connect()) as PoolClient & { readonly processID: number };
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid !== client.processID;
  } finally {
    client.release();
  }
}

function assertUsableFile(file: string, mayCreate: boolean): void {
  const path = resolve(file);
  if (!mayCreate && !existsSync(path)) throw missingFile(path);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    if (!existsSync(path)) return makePrivateFile(path);
    if (statSync(path).isDirectory()) throw new DatabaseOpenError(`The database file ${path} is a folder.`);
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof DatabaseOpenError) throw error;
    throw new DatabaseOpenError(`The database file ${path} cannot be written: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EEXIST' || code === 'ENOTDIR' ? 'a part of its path is a file, not a folder' : message;
}

function explain(location: ReturnType<typeof parseDatabaseUrl>, error: unknown): string {
  const code = driverCode(error) ?? '';
  if (location.engine === 'sqlite') {
    const damaged = /^SQLITE_(NOTADB|CORRUPT)/.test(code);
    return damaged
      ? `The database file ${resolve(location.file)} is damaged or no SQLite database; it was left as it is. Restore a backup or choose another file with DATABASE_URL.`
      : `The database file ${resolve(location.file)} cannot be opened: ${(error as Error).message}.`;
  }
  const { host, pathname } = new URL(location.url);
  return `The PostgreSQL database ${decodeURIComponent(pathname.slice(1))} at ${host} cannot be reached: ${(error as Error).message || code}.`;
}
