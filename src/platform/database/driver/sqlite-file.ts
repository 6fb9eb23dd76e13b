import { chmodSync, closeSync, openSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type SqliteDatabase from 'better-sqlite3';
import { ServiceUnavailableError } from '../../errors/http-errors';

/** Permissions for the user of the service alone: the data are not for every user of the machine. */
const OWNER_ONLY = 0o600;
const ALL_OTHERS = 0o077;

/** Makes an empty file that other users cannot read. SQLite gives its permissions to the files it puts beside it. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', OWNER_ONLY));
}

/** Takes the permissions of other users from a database and the files beside it, as far as they belong to the user of this process. */
export function makePrivate(path: string): void {
  const file = realpathSync(path);
  for (const each of [file, `${file}-wal`, `${file}-shm`]) {
    const stats = statSync(each, { throwIfNoEntry: false });
    if (stats && stats.uid === process.getuid?.() && (stats.mode & ALL_OTHERS) !== 0) {
      chmodSync(each, OWNER_ONLY);
    }
  }
}

interface OpenFile {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

const openFiles = new WeakMap<SqliteDatabase.Database, OpenFile>();

/** Remembers which file a connection has just opened, for {@link assertFileInPlace}. */
export function rememberFile(database: SqliteDatabase.Database): void {
  if (database.memory) return;
  const path = resolve(database.name);
  const { dev: device, ino: inode } = statSync(path, { bigint: true });
  openFiles.set(database, { path, device, inode });
}

/**
 * Checks that the path of a database still leads to the open file: rows written to a file that was deleted or replaced are
 * there until the process ends, and SQLite says nothing. The check costs some microseconds.
 *
 * @throws ServiceUnavailableError when the path leads to another file, or to no file
 */
export function assertFileInPlace(database: SqliteDatabase.Database): void {
  const file = openFiles.get(database);
  if (file && !leadsTo(file)) {
    throw new ServiceUnavailableError({
      message: 'The database file was deleted or replaced while it was open.',
      cause: new Error(`${file.path} is not the file that is open.`),
    });
  }
}

function leadsTo({ path, device, inode }: OpenFile): boolean {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return dev === device && ino === inode;
  } catch {
    return false;
  }
}
