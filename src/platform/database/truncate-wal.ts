import SqliteDatabase from 'better-sqlite3';
import type { Database } from './database';
import { wait } from '../values/wait';

const ATTEMPTS = 50;
const PAUSE_MS = 100;

/**
 * Empties the write-ahead log of SQLite, which has pages as they were before an erasure.
 *
 * @returns false if another process read them for five seconds
 */
export async function truncateWal({ engine, dataSource }: Database): Promise<boolean> {
  if (engine === 'postgres') return true;
  // The service's own connection waits for readers inside SQLite, where all requests wait with it.
  const connection = new SqliteDatabase(dataSource.options.database as string, {
    fileMustExist: true,
    timeout: 0,
  });
  try {
    for (let attempt = 1; ; attempt++) {
      const isBusy = connection.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) !== 0;
      if (!isBusy || attempt === ATTEMPTS) return !isBusy;
      await wait(PAUSE_MS);
    }
  } finally {
    connection.close();
  }
}
