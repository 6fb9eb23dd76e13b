import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

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
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
