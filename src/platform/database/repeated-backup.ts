import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** How backups are repeated. */
export interface BackupPlan {
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
