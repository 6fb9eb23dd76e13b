import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../column-types';

/** Maximum number of files in a folder whose times are read. The last by name count: backups are named by their time. */
const MAX_FILES = 100;

/** First bytes of backups of `petstore db backup`: a SQLite file, a dump of pg_dump in its custom format. */
const BEGINNINGS: Readonly<Record<Engine, Buffer>> = {
  sqlite: Buffer.from('SQLite format 3\0'),
  postgres: Buffer.from('PGDMP'),
};

/** A file that begins as a backup does. */
export interface BackupFile {
  readonly path: string;
  /** Time at which it was written, in milliseconds since 1970. */
  readonly writtenMs: number;
}

/**
 * Finds the newest backup in a folder; undefined if there is none that this process can read.
 *
 * @throws the error of the system when there is no such folder
 */
export async function newestBackup(folder: string, engine: Engine): Promise<BackupFile | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.unfinished'));
  const paths = files.map(({ name }) => join(folder, name)).sort();
  const looks = paths.slice(-MAX_FILES).map((path) => readBackup(path, BEGINNINGS[engine]));
  const found = (await Promise.all(looks)).filter((each) => each !== undefined);
  return found.toSorted((one, other) => one.writtenMs - other.writtenMs).at(-1);
}

/** Resolves to undefined for a file that does not begin as a backup does, and for one that this process cannot read. */
async function readBackup(path: string, beginning: Buffer): Promise<BackupFile | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path);
    const { buffer } = await handle.read(Buffer.alloc(beginning.length), 0, beginning.length, 0);
    return buffer.equals(beginning) ? { path, writtenMs: (await handle.stat()).mtimeMs } : undefined;
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}
