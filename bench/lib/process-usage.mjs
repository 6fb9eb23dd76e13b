import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Flag of a thread of the kernel (`PF_KTHREAD`). */
const KERNEL_THREAD = 0x20_00_00;

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

/**
 * Processor time of all processes, in microseconds: `own` that of a process and of all that it has started and their children,
 * `others` that of the rest, and of each of the rest by its number. Threads of the kernel are left out: they work for whoever reads
 * and writes. Needs /proc of Linux.
 */
export function processorTimes(root) {
  const processes = new Map();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const fields = fieldsOf(name);
    const [, parent, , , , , flags] = fields;
    if (fields.length === 0 || Number(flags) & KERNEL_THREAD) continue;
    // A process that ends adds its time to that of its parent: the 14th and 15th field.
    const micros = fields.slice(11, 15).map((ticks) => Number(ticks) * 10_000);
    const [user, system, childUser, childSystem] = micros;
    const all = user + system + childUser + childSystem;
    processes.set(Number(name), { parent: Number(parent), self: user + system, all });
  }
  const isOwn = (pid) => pid === root || (processes.has(pid) && isOwn(processes.get(pid).parent));
  const times = { own: 0, others: 0, each: new Map() };
  for (const [pid, { self, all }] of processes) {
    times[isOwn(pid) ? 'own' : 'others'] += all;
    if (!isOwn(pid)) times.each.set(pid, self);
  }
  return times;
}

/** What a process is called; empty when it has ended. */
export function nameOf(pid) {
  return readIfThere(`/proc/${pid}/comm`).trim();
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
