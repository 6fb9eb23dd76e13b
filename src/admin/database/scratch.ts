import {
  chmodSync,
  copyFileSync,
  constants,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { CommandError, RefusedError, UsageError } from '../../platform/cli/command-error';
import { parseDatabaseUrl } from '../../platform/database/driver/database-url';
import { driverCode } from '../../platform/database/driver/driver-errors';
import { byteSize } from '../../platform/values/byte-size';
import { assertRestores, restorePostgres } from './postgres-dump';

/** A backup, and the service that it is of. */
export interface RestoreTask {
  readonly backup: string;
  /** Address of the served database. */
  readonly databaseUrl: string;
  /** The served database. */
  readonly served: DataSource;
  /** Opens a database; whoever calls it closes the database. */
  readonly open: (databaseUrl: string) => Promise<DataSource>;
  /** Ends the restore of a PostgreSQL database. */
  readonly signal: AbortSignal;
}

/** A backup cannot be restored; the message is a sentence about it. */
export class UnfitBackupError extends CommandError {}

type Work<T> = (restored: DataSource) => Promise<T>;

const BUSY = 'Another drill works on a backup of this database: wait for its end.';

/**
 * Restores a backup into a database that nobody serves, and removes that database after the work. What a killed drill has left
 * is removed first.
 *
 * @throws CommandError if the backup cannot be restored; RefusedError while another drill is under way
 */
export function withRestored<T>(task: RestoreTask, work: Work<T>): Promise<T> {
  const location = parseDatabaseUrl(task.databaseUrl);
  if (location.engine === 'postgres') return withRestoredDump(task, work);
  if (location.file === ':memory:') throw new UsageError('A database in memory has no backups.');
  return withRestoredFile(task, resolve(location.file), work);
}

/** Room that stays free for the service, which writes to the same disk, in bytes. */
const LEAST_LEFT = 256 * 1_048_576;

/** The scratch lies beside the served file, where the disk holds such a file and others may not look. */
async function withRestoredFile<T>({ backup, open }: RestoreTask, served: string, work: Work<T>): Promise<T> {
  const { size } = assertOtherFile(backup, served);
  const folder = `${served}-drill`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = lockFolder(folder);
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < size + LEAST_LEFT) {
      throw new CommandError(
        `The backup has ${byteSize(size)}, and the disk of ${folder} only ${byteSize(bavail * bsize)} free: the service needs room too.`,
      );
    }
    const file = join(folder, 'scratch.sqlite');
    copyFileSync(backup, file, constants.COPYFILE_FICLONE);
    chmodSync(file, 0o600);
    const restored = await open(`sqlite:${file}`).catch((error: unknown) => {
      throw explained(error);
    });
    try {
      return await work(restored);
    } finally {
      await restored.destroy();
    }
  } finally {
    lock.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws UsageError if a backup is the served database itself; CommandError if it cannot be read */
function assertOtherFile(backup: string, served: string) {
  const found = statSync(backup, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new CommandError(`There is no backup ${backup}.`);
  const { dev, ino } = statSync(served);
  if (found.dev === dev && found.ino === ino) {
    throw new UsageError(`${backup} is the served database, not a backup.`);
  }
  return found;
}

function explained(error: unknown): unknown {
  if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(driverCode((error as Error).cause ?? error) ?? '')) return error;
  return new UnfitBackupError({ message: 'It is damaged or is no SQLite database.', cause: error });
}

/** Takes a folder for this process alone, and empties it. The system gives the lock back when the process ends in any way. */
function lockFolder(folder: string): SqliteDatabase.Database {
  const name = 'lock';
  const lock = new SqliteDatabase(join(folder, name), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (driverCode(error) === 'SQLITE_BUSY') throw new RefusedError(BUSY);
    throw error;
  }
  for (const left of readdirSync(folder).filter((each) => !each.startsWith(name))) {
    rmSync(join(folder, left), { recursive: true });
  }
  return lock;
}

/** Comment by which a database is known as one that a drill has made. */
const MARK = 'Scratch of a drill of petstore';

const SERVED = `
  SELECT 'petstore_drill_' || oid AS scratch, pg_encoding_to_char(encoding) AS encoding, datcollate AS "collate", datctype AS ctype
  FROM pg_database WHERE datname = current_database()`;

interface ServedRow {
  readonly scratch: string;
  readonly encoding: string;
  readonly collate: string;
  readonly ctype: string;
}

const LEFT = `
  SELECT shobj_description(oid, 'pg_database') AS mark FROM pg_database WHERE datname = $1`;

/** SQLSTATE of a database that others use, and of a right that is missing. */
const IN_USE = '55006';
const NOT_ALLOWED = '42501';

/** The scratch is a database on the same server. A drill under way is known by its connections, which end with its process. */
async function withRestoredDump<T>(
  { backup, databaseUrl, served, open, signal }: RestoreTask,
  work: Work<T>,
): Promise<T> {
  const [row] = await served.query<[ServedRow]>(SERVED);
  const { scratch } = row;
  await assertRestores(served, signal);
  await removeLeft(served, scratch);
  await create(served, row);
  let restored: DataSource | undefined;
  try {
    await served.query(`COMMENT ON DATABASE "${scratch}" IS '${MARK}'`);
    const address = new URL(databaseUrl);
    address.pathname = `/${scratch}`;
    restored = await open(address.href);
    await assertScratch(restored, served, scratch);
    await restorePostgres(address.href, backup, signal);
    return await work(restored);
  } finally {
    await restored?.destroy();
    await served.query(`DROP DATABASE IF EXISTS "${scratch}" WITH (FORCE)`);
  }
}

async function removeLeft(served: DataSource, scratch: string): Promise<void> {
  const [left] = await served.query<{ mark: string | null }[]>(LEFT, [scratch]);
  if (!left) return;
  if (left.mark !== MARK) {
    throw new RefusedError(
      `The database ${scratch} is there, and no drill has made it: drop it if nobody needs it.`,
    );
  }
  try {
    await served.query(`DROP DATABASE "${scratch}"`);
  } catch (error) {
    if (driverCode(error) === IN_USE) throw new RefusedError(BUSY);
    throw error;
  }
}

async function create(served: DataSource, { scratch, encoding, collate, ctype }: ServedRow): Promise<void> {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  try {
    await served.query(
      `CREATE DATABASE "${scratch}" TEMPLATE template0 ENCODING ${quoted(encoding)} LC_COLLATE ${quoted(collate)} LC_CTYPE ${quoted(ctype)}`,
    );
  } catch (error) {
    if (driverCode(error) !== NOT_ALLOWED) throw error;
    throw new CommandError(
      'The role of DATABASE_URL may not create databases: run ALTER ROLE ... CREATEDB, or give the command another role.',
    );
  }
}

const WHERE = `
  SELECT current_database() AS name, (SELECT system_identifier::text FROM pg_control_system()) AS server`;

interface Place {
  readonly name: string;
  readonly server: string;
}

/** A pooler or a proxy may lead any address to the served database, or to another server. */
async function assertScratch(restored: DataSource, served: DataSource, scratch: string): Promise<void> {
  const [here] = await restored.query<[Place]>(WHERE);
  const [there] = await served.query<[Place]>(WHERE);
  if (here.name !== scratch || here.name === there.name || here.server !== there.server) {
    throw new CommandError(
      `The address of ${scratch} leads to the database ${here.name} of another place: connect to the server itself.`,
    );
  }
}
