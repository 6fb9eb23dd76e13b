import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Resident memory of a process, in bytes. */
export function rssBytes(pid) {
  if (!existsSync(`/proc/${pid}/status`)) {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
  }
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kib) * 1024;
}

/** Processor time that a process has used so far, in microseconds; NaN where there is no /proc. */
export function cpuMicros(pid) {
  if (!existsSync(`/proc/${pid}/stat`)) return NaN;
  // After the command's closing parenthesis: user and system time are the 12th and 13th field, in ticks
  // of 10 ms (proc_pid_stat(5)).
  const [user, system] = fieldsOf(pid).slice(11, 13).map(Number);
  return (user + system) * 10_000;
}

/** Processor time of a process and of all that it has started and their children, in microseconds. Needs /proc of Linux. */
export function treeCpuMicros(root) {
  const children = new Map();
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const [, parent] = fieldsOf(pid);
    if (parent) children.set(Number(parent), [...(children.get(Number(parent)) ?? []), pid]);
  }
  const sum = (pid) => {
    const below = (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0);
    // A process that ends adds its time to that of its parent: the 14th and 15th field.
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fieldsOf(pid).slice(11, 15).map(Number);
    return below + (user + system + childUser + childSystem) * 10_000;
  };
  return sum(root);
}

/** Milliseconds that the first thread of a process could have run and did not (`run_delay` of proc_pid_schedstat). */
export function runDelayMs(pid) {
  return Number(readIfThere(`/proc/${pid}/schedstat`).split(' ')[1] ?? 0) / 1e6;
}

/** Fields of a process from its state on; none when it is gone. */
function fieldsOf(pid) {
  const text = readIfThere(`/proc/${pid}/stat`);
  return text === '' ? [] : text.split(') ').at(-1).split(' ');
}

/** A file of /proc; empty when its process or thread has ended. */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
