import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isRunning } from '../../../platform/workers/is-running';
import type { ImportRun } from './import-run.entity';

/** Time after a batch for which a process is trusted to continue its work, in milliseconds. A batch takes milliseconds. */
const SILENCE_MS = 60_000;

/** Holders of the imports that run, or are undone, in this process. */
const own = new Set<string>();

/** Creates a holder for one import or undo in this process: host, process id, and a unique part. */
export function newHolder(): string {
  const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
  own.add(holder);
  return holder;
}

/** Removes a holder: its work has ended. */
export function dropHolder(holder: string): void {
  own.delete(holder);
}

/** Time until which a holder is trusted that has just stored something. */
export function heldUntil(): Date {
  return new Date(Date.now() + SILENCE_MS);
}

/**
 * True if a process still seems to work on a run. The end of a process on this machine is noticed at once, that of a process on
 * another machine only by its silence. A wrong guess imports no row twice: every batch checks that the run still belongs to its
 * process.
 */
export function isHeld({ holder, heldUntil: until }: Pick<ImportRun, 'holder' | 'heldUntil'>): boolean {
  if (holder === null || until.getTime() < Date.now()) return false;
  const [host, pid] = holder.split(' ');
  if (host !== hostname()) return true;
  return Number(pid) === process.pid ? own.has(holder) : isRunning(Number(pid));
}
