import { readdirSync, readFileSync } from 'node:fs';

/** A process, and those that it has started: the workers of a service. */
export function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.map(Number)];
}

/** Resident memory of a service, in bytes (proc(5), VmRSS). */
export function residentMemory(pid: number): number {
  return sum(processesOf(pid).map(residentMemoryOf));
}

/** How many files, sockets among them, a service has open. */
export function openFiles(pid: number): number {
  return sum(processesOf(pid).map((each) => readdirSync(`/proc/${each}/fd`).length));
}

function residentMemoryOf(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1_024;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
