import { readFileSync } from 'node:fs';

/**
 * Stops a process and its children, as a machine that hangs would: their connections stay open and nothing responds.
 *
 * @returns lets them go on
 */
export function freeze(pid: number): () => void {
  // First the parent, so that it makes no more.
  process.kill(pid, 'SIGSTOP');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const pids = [pid, ...children.map(Number)];
  for (const child of pids.slice(1)) process.kill(child, 'SIGSTOP');
  return () => pids.forEach((each) => process.kill(each, 'SIGCONT'));
}
