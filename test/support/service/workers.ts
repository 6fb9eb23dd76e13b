import type { ServiceProcess } from '../processes/service-process';
import { until } from '../until';

/** Numbers and process ids of the workers a service has started so far, from its log, in the order they listened. */
export function workersOf(service: ServiceProcess): { readonly worker: number; readonly pid: number }[] {
  return service
    .log()
    .filter(({ msg }) => msg === 'A worker is listening.')
    .map(({ worker, pid }) => ({ worker: Number(worker), pid: Number(pid) }));
}

/** Whether a process is there, and no corpse. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until so many workers have listened since the start of the service. */
export function haveListened(service: ServiceProcess, count: number): Promise<void> {
  return until(() => workersOf(service).length >= count);
}

/** The ways in which workers of a service ended of which it said so. */
export function endsOf(service: ServiceProcess): Record<string, unknown>[] {
  return service.log().filter(({ msg }) => /^A worker (was|ended|could)/.test(String(msg)));
}
