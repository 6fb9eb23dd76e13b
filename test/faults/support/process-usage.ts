import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of a process, in bytes (proc(5), VmRSS). */
export function residentMemory(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1_024;
}

/** How many files, sockets among them, a process has open. */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
