import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type DataSource, TypeORMError } from 'typeorm';
import type { DatabaseUse } from '../../cli/cli';
import { createDataSource, type DatabaseSettings, keepNoStatements } from './data-source';
import { parseDatabaseUrl } from './database-url';
import { driverCode } from './driver-errors';
import { missingFile } from './missing-database';
import { strangenessOf } from './older-database';
import { isPooled, sharesStatements } from './pooler-probe';
import type { SchemaPart } from './schema-parts';
import { makePrivate, makePrivateFile } from './sqlite-file';

/** The database cannot be opened; the message is one sentence for the operator. */
export class DatabaseOpenError extends Error {
  /** True if the same may succeed in a moment: the server has no connection to spare, or starts. */
  get isForNow(): boolean {
    return this.cause !== undefined && FOR_NOW.test(driverCode(this.cause) ?? '');
  }
}

/** The database was made before the first release. */
export class OlderDatabaseError extends DatabaseOpenError {
  constructor() {
    super(
      'This database was made before 1.2.0, the first release, and no version since can upgrade it; nothing was changed.',
    );
  }
}

/** Another program has a table of a name that the service needs. */
class ForeignTableError extends DatabaseOpenError {
  constructor(table: string) {
    super(
      `Another program uses the table ${table} in this database; nothing was changed. Give the service a database of its own with DATABASE_URL.`,
    );
  }
}

/** SQLSTATEs of a server that has no resources for a connection, or starts or stops. */
const FOR_NOW = /^(53...|57P0[1-3])$/;

/** Encodings of databases that hold every text; SQL_ASCII takes the bytes as they come. */
const ENCODINGS = ['UTF8', 'SQL_ASCII'];

/**
 * Connects to the database of the settings.
 *
 * @param features entities and migrations of modules of other packages (see {@link createDataSource})
 * @param use that of an existing database, unless given
 * @throws MissingDatabaseError, or DatabaseOpenError saying in one sentence what is wrong, never with a password
 */
export async function openDatabase(
  settings: DatabaseSettings,
  features: readonly SchemaPart[] = [],
  { mayCreate = false, mayOnlyRead = false }: DatabaseUse = {},
): Promise<DataSource> {
  const location = parseDatabaseUrl(settings.databaseUrl);
  const file = location.engine === 'sqlite' && location.file !== ':memory:' ? location.file : undefined;
  const isReadOnly = file !== undefined && mayOnlyRead && isOnReadOnlySystem(file);
  if (file !== undefined && !isReadOnly) assertUsableFile(file, mayCreate);
  const dataSource = createDataSource(settings, features, isReadOnly);
  try {
    await dataSource.initialize();
    const strangeness = await strangenessOf(dataSource);
    if (strangeness === 'older') throw new OlderDatabaseError();
    if (strangeness) throw new ForeignTableError(strangeness.foreignTable);
    // Only now, so that a file named by mistake stays as it was.
    if (file !== undefined && !isReadOnly) makePrivate(file);
    else if (location.engine === 'postgres') await prepareServer(dataSource, settings);
    return dataSource;
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    if (error instanceof DatabaseOpenError) throw error;
    const hint = isReadOnly ? ' On a read-only file system only a backup can be read.' : '';
    throw new DatabaseOpenError(`${explain(location, error)}${hint}`, { cause: error });
  }
}

/** Tells whether a file is there that can be read but not written, because nothing on its file system can be. */
function isOnReadOnlySystem(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

async function prepareServer(dataSource: DataSource, settings: DatabaseSettings): Promise<void> {
  await requireEncoding(dataSource);
  if (!(await isPooled(dataSource))) return;
  await requireExactDoubles(dataSource);
  if (await sharesStatements(settings)) keepNoStatements(dataSource);
}

/** Refuses a database that could store some texts only, and would fail at the first other one. */
async function requireEncoding(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ server_encoding: string }[]>('SHOW server_encoding');
  const { server_encoding: encoding = '' } = row ?? {};
  if (ENCODINGS.includes(encoding)) return;
  throw new DatabaseOpenError(
    `The database has the encoding ${encoding}, in which most texts cannot be stored. Create one with ENCODING 'UTF8' TEMPLATE template0.`,
  );
}

/**
 * Refuses a server that rounds doubles behind a pooler, which may not pass on what a connection sets. The role's own setting is
 * what then holds, as it is for the search path.
 */
async function requireExactDoubles(dataSource: DataSource): Promise<void> {
  const rounding: unknown[] = await dataSource.query(
    `SELECT 1 FROM pg_settings WHERE name = 'extra_float_digits' AND reset_val::int < 1`,
  );
  if (rounding.length === 0) return;
  throw new DatabaseOpenError(
    'The server rounds numbers (extra_float_digits), and the pooler in front of it does not let the service change that. Run ALTER ROLE <role> SET extra_float_digits = 1 on the server.',
  );
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
  // TypeORM's own, of entities that it reads once it is connected.
  if (error instanceof TypeORMError && code === '') {
    return `The entities cannot be used: ${error.message.replace(/\.?$/, '.')}`;
  }
  if (location.engine === 'sqlite') {
    const damaged = /^SQLITE_(NOTADB|CORRUPT)/.test(code);
    return damaged
      ? `The database file ${resolve(location.file)} is damaged or is not a SQLite database. The file was not changed. Restore a backup or choose another file with DATABASE_URL.`
      : `The database file ${resolve(location.file)} cannot be opened: ${(error as Error).message}.`;
  }
  const { host, pathname } = new URL(location.url);
  const place = `The PostgreSQL database ${decodeURIComponent(pathname.slice(1))} at ${host}`;
  const said = (error as Error).message || code;
  return FOR_NOW.test(code)
    ? `${place} accepts no connection at the moment: ${said}.`
    : `${place} cannot be reached: ${said}.`;
}
