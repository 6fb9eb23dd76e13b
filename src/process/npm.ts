import { npmScript } from '../platform/config/npm-script';
import { isRunning } from '../platform/jobs/is-running';

/** The scripts of `package.json` whose last command is the service. */
const SCRIPTS: readonly (string | undefined)[] = ['start', 'quickstart'];

/** Milliseconds between two checks whether the parent has ended. */
const POLL_MS = 250;

/** Parent of this process. Read while this file is loaded: the parent may end before the packages are loaded. */
const parent = process.ppid;

/** True if npm has started the service. */
export function isStartedByNpm(): boolean {
  return SCRIPTS.includes(npmScript());
}

/**
 * Calls back when the shell in which npm has started the service has ended. The service then has another parent; on Windows,
 * where a process keeps the number of its parent, no process with that number runs. npm passes SIGTERM to that shell alone,
 * which ends by it and leaves the service behind. Without npm the parent may end: a service is often left running by a shell
 * that ends.
 */
export function onNpmEnd(callback: () => void): void {
  if (!isStartedByNpm()) return;
  const timer = setInterval(() => {
    if (process.ppid === parent && isRunning(parent)) return;
    clearInterval(timer);
    callback();
  }, POLL_MS);
  timer.unref();
}
