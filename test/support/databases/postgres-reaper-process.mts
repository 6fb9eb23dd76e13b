/**
 * Outlives the process that started it, however that one ended: ends the PostgreSQL process it was told of and removes
 * the folder named by its argument. Its standard input carries one line for each process started (its id) or
 * ended (an empty line); the end of the input is the end of the owner.
 */
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = process.argv[2];
if (!folder) {
  throw new Error('Usage: postgres-reaper-process <folder>');
}

let watched = '';
for await (const line of createInterface({ input: process.stdin })) {
  watched = line;
}

const GRACE_MS = 10_000;
const deadline = Date.now() + GRACE_MS;
if (watched !== '' && signalled(Number(watched), 'SIGQUIT')) {
  while (signalled(Number(watched), 0) && Date.now() < deadline) {
    await sleep(20);
  }
}
await rm(folder, { recursive: true, force: true, maxRetries: 10 });

function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
