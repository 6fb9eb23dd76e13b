import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../platform/database/database';

const ATTEMPTS = 50;
const PAUSE_MS = 100;

/**
 * Empties the write-ahead log of SQLite, which has pages as they were before an erasure.
 *
 * @returns false if another process read them for five seconds
 */
export async function truncateWal({ engine, dataSource }: Database): Promise<boolean> {
  if (engine === 'postgres') return true;
  for (let attempt = 1; ; attempt++) {
    const [{ busy } = { busy: 0 }] = await dataSource.query<{ busy: number | bigint }[]>(
      'PRAGMA wal_checkpoint(TRUNCATE)',
    );
    if (Number(busy) === 0 || attempt === ATTEMPTS) return Number(busy) === 0;
    await pause(PAUSE_MS);
  }
}
