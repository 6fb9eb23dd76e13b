import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ImportRun } from './import-run.entity';

/** How long a process is believed to go on with an import after a batch. A batch takes milliseconds. */
const SILENCE_MS = 60_000;

/** Names of the imports that go on in this process. */
const own = new Set<string>();

/** A name of this process for one import: host, process id, and a part no other has. */
export function newHolder(): string {
  const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
  own.add(holder);
  return holder;
}

/** Forgets a name: its import does not go on. */
export function dropHolder(holder: string): void {
  own.delete(holder);
}

/** Until when a holder is believed that has just shown up. */
export function heldUntil(): Date {
  return new Date(Date.now() + SILENCE_MS);
}

/**
 * Whether a process still seems to work on a run. The end of a process on this machine is noticed at once, that of one on another
 * machine only by its silence. A wrong guess imports no row twice: every batch makes sure that the run is still its own.
 */
export function isHeld({ holder, heldUntil: until }: Pick<ImportRun, 'holder' | 'heldUntil'>): boolean {
  if (holder === null || until.getTime() < Date.now()) return false;
  const [host, pid] = holder.split(' ');
  if (host !== hostname()) return true;
  return Number(pid) === process.pid ? own.has(holder) : isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
