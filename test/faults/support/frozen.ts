import { processesOf } from './process-usage';

/**
 * Stops a process and its children, as a machine that hangs would: their connections stay open and nothing responds.
 *
 * @returns lets them go on
 */
export function freeze(pid: number): () => void {
  // First the parent, so that it makes no more.
  process.kill(pid, 'SIGSTOP');
  const pids = processesOf(pid);
  for (const child of pids.slice(1)) process.kill(child, 'SIGSTOP');
  return () => pids.forEach((each) => process.kill(each, 'SIGCONT'));
}
