import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { CommandError } from '../cli/command-error';
import { engineOf } from './column-types';
import { makePrivateFile } from './sqlite-file';
import { sqliteOf } from './statement';

/** All pages in one step: when another process writes between two steps, SQLite begins again. */
const ALL_PAGES = 0x7fff_ffff;

/**
 * Copies a SQLite database as it is at one moment, while others read and write it (SQLite's online backup). The copy gets its
 * name only once it is whole and its integrity has been checked. Other users cannot read it.
 *
 * @throws CommandError when the database is no SQLite file, there is such a file already, or it cannot be written
 */
export async function backup(dataSource: DataSource, file: string): Promise<void> {
  if (engineOf(dataSource) === 'postgres') {
    throw new CommandError('This is a PostgreSQL database: back it up with pg_dump.');
  }
  if (existsSync(file)) throw new CommandError(`The file ${file} is there already; it was left as it is.`);
  const unfinished = `${file}.unfinished`;
  try {
    // Left there by a backup that was killed.
    rmSync(unfinished, { force: true });
    makePrivateFile(unfinished);
    await sqliteOf(dataSource).backup(unfinished, { progress: () => ALL_PAGES });
    assertWhole(unfinished);
    renameSync(unfinished, file);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError({
      message: `The backup ${file} cannot be written: ${(error as Error).message}.`,
      cause: error,
    });
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function assertWhole(file: string): void {
  const copy = new SqliteDatabase(file);
  try {
    // One file alone: a person who moves it would forget the -wal and -shm beside it.
    copy.pragma('journal_mode = DELETE');
    const verdict = copy.pragma('integrity_check', { simple: true });
    if (verdict !== 'ok') throw new CommandError('The copy is damaged; it was removed.');
  } finally {
    copy.close();
  }
}

/** How backups are repeated. */
interface BackupPlan {
  readonly folder: string;
  /** From the beginning of one to that of the next, in milliseconds: what is written in that time may be lost. */
  readonly everyMs: number;
  /** How many are kept, the newest ones. */
  readonly keep: number;
  /** Ends it, when the backup that runs is whole. */
  readonly signal: AbortSignal;
}

/** A name that sorts by time. Others in the folder are not touched. */
const BACKUP = /^petstore-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z\.sqlite$/;

/**
 * Makes a backup at once and again at intervals, until it is told to end.
 *
 * @param backUp makes one in a new file
 * @throws what `backUp` throws: what supervises the command has to see it
 */
export async function backUpRepeatedly(
  { folder, everyMs, keep, signal }: BackupPlan,
  backUp: (file: string) => Promise<void>,
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  while (!signal.aborted) {
    const began = performance.now();
    await backUp(join(folder, `petstore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.sqlite`));
    const backups = readdirSync(folder).filter((name) => BACKUP.test(name));
    for (const name of backups.sort().slice(0, -keep)) rmSync(join(folder, name));
    // Not by the clock of the wall: set back an hour, it would leave an hour without a backup.
    const rest = Math.max(0, began + everyMs - performance.now());
    await pause(rest, undefined, { signal }).catch(() => undefined);
  }
}
