import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { CommandError } from '../../platform/cli/command-error';
import { NewFile, nameOfUnfinished } from '../../platform/cli/new-file';
import { byteSize } from '../../platform/values/byte-size';
import { engineOf } from '../../platform/database/column-types';
import { findMissingColumns } from '../../platform/database/schema/missing-columns';
import { assertHasTables, MissingDatabaseError } from '../../platform/database/driver/missing-database';
import { dumpPostgres } from './postgres-dump';
import { readSchemaState } from '../../platform/database/schema/schema-state';
import { sqliteOf } from '../../platform/database/driver/data-source';
import { wait } from '../../platform/values/wait';

/** All pages in one step: if another process writes between two steps, SQLite begins again. */
const ALL_PAGES = 0x7fff_ffff;

/** Time in milliseconds after which an unfinished backup that nobody has written to is one of a process that was killed. */
const ABANDONED_MS = 3_600_000;

/** Extensions of backups, by engine. */
const EXTENSIONS = { sqlite: 'sqlite', postgres: 'dump' } as const;

/**
 * Copies a database as it is at one moment, while others read and write it: SQLite by its online backup, PostgreSQL by pg_dump.
 * The copy gets its name only once it is complete and has been checked. Other users cannot read it.
 *
 * @param signal ends the copying of a PostgreSQL database
 * @throws MissingDatabaseError if there is nothing to copy; CommandError if the file exists already, it cannot be written, or it
 * was written and tables are missing in it
 */
export async function backup(dataSource: DataSource, file: string, signal?: AbortSignal): Promise<void> {
  const copy = await NewFile.begin(file);
  try {
    const { applied, pending } = await readSchemaState(dataSource);
    assertHasTables(dataSource, applied);
    if (applied.length === 0)
      throw new MissingDatabaseError('The database has none of the tables of this service.');
    removeAbandoned(dirname(file), (name) => name === basename(file));
    await copyInto(dataSource, copy, signal);
    await copy.complete();
    const missing = pending.length === 0 ? await findMissingColumns(dataSource) : [];
    if (missing.length > 0) {
      throw new CommandError(
        `The backup ${file} was written, but tables or columns of the service are missing in the database: ${missing.join(', ')}. Keep the backups before it.`,
      );
    }
  } finally {
    await copy.discard();
  }
}

/** @throws CommandError */
async function copyInto(
  dataSource: DataSource,
  { path, unfinished }: NewFile,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    if (engineOf(dataSource) === 'postgres') return await dumpPostgres(dataSource, unfinished, signal);
    await sqliteOf(dataSource).backup(unfinished, { progress: () => ALL_PAGES });
    finish(unfinished);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError({
      message: `The backup ${path} cannot be written: ${(error as Error).message}.`,
      cause: error,
    });
  }
}

/** Removes from a folder what killed backups have left of files whose names pass. */
function removeAbandoned(folder: string, isOfBackup: (name: string) => boolean): void {
  for (const entry of readdirSync(folder)) {
    const name = nameOfUnfinished(entry);
    if (name === undefined || !isOfBackup(name)) continue;
    const path = join(folder, entry);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > ABANDONED_MS) rmSync(path, { force: true });
  }
}

/** Makes one file of a copy, and checks it. */
function finish(file: string): void {
  const copy = new SqliteDatabase(file, { fileMustExist: true });
  try {
    // One file only: a person who moves it would forget the -wal and -shm beside it.
    copy.pragma('journal_mode = DELETE');
    const verdict = copy.pragma('integrity_check', { simple: true });
    if (verdict !== 'ok') throw new CommandError('The copy is damaged; it was removed.');
  } finally {
    copy.close();
  }
}

/** Schedule of repeated backups. */
interface BackupPlan {
  readonly folder: string;
  readonly engine: keyof typeof EXTENSIONS;
  /** Time from the start of one backup to the start of the next, in milliseconds: what is written in that time may be lost. */
  readonly everyMs: number;
  /** Number of backups to keep, the newest ones. */
  readonly keep: number;
  /** Ends the repetition once the running backup is complete. */
  readonly signal: AbortSignal;
  /** Tells the operator why no old backup is deleted. */
  readonly warn: (message: string) => void;
}

/** Matches names of backups, without the extension; they sort by time. Other files in the folder are not touched. */
const BACKUP = /^petstore-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

/**
 * Makes a backup at once and again at intervals, until the signal aborts.
 *
 * @param backUp writes one backup to a new file
 * @throws the errors of `backUp`: whatever supervises the command has to see them
 */
export async function backUpRepeatedly(
  { folder, engine, everyMs, keep, signal, warn }: BackupPlan,
  backUp: (file: string) => Promise<void>,
): Promise<void> {
  const extension = `.${EXTENSIONS[engine]}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  while (!signal.aborted) {
    const began = performance.now();
    const name = `petstore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}${extension}`;
    await backUp(join(folder, name));
    deleteOld({ folder, keep, warn }, extension, name);
    // Not by the wall clock: set back an hour, it would leave an hour without a backup.
    const rest = Math.max(0, began + everyMs - performance.now());
    await wait(rest, signal).catch(() => undefined);
  }
}

/**
 * Deletes all but the newest backups, unless another is named after a later time than the one just made, or that is less than half
 * as large as another: the database may have lost data that only the others have.
 *
 * @param made name of the backup just made
 */
function deleteOld(
  { folder, keep, warn }: Pick<BackupPlan, 'folder' | 'keep' | 'warn'>,
  extension: string,
  made: string,
): void {
  const isOfSeries = (name: string) =>
    name.endsWith(extension) && BACKUP.test(name.slice(0, -extension.length));
  removeAbandoned(folder, isOfSeries);
  const backups = readdirSync(folder)
    .filter(isOfSeries)
    .sort()
    .map((name) => ({ name, size: statSync(join(folder, name)).size }));
  const newest = backups.find(({ name }) => name === made);
  const last = backups.at(-1);
  if (newest && last && last !== newest) {
    warn(
      `Old backups are kept: ${last.name} is named after a later time than ${made}, so a clock was wrong. Move the backups with wrong times to another folder.`,
    );
    return;
  }
  const [largest] = backups.toSorted((one, other) => other.size - one.size);
  if (newest && largest && newest.size < largest.size / 2) {
    warn(
      `Old backups are kept: ${newest.name} has only ${byteSize(newest.size)}, and ${largest.name} has ${byteSize(largest.size)}. Compare them; if the database has really become smaller, move the large backups to another folder.`,
    );
    return;
  }
  for (const { name } of backups.slice(0, -keep)) rmSync(join(folder, name));
}
