import { npmScript } from '../platform/config/npm-script';
import { isRunning } from '../platform/workers/is-running';

/** The scripts of `package.json` whose last command is the service. */
const SCRIPTS: readonly (string | undefined)[] = ['start', 'quickstart'];

/** How often the service looks whether its parent has ended, in milliseconds. */
const POLL_MS = 250;

/** Parent of this process. Read while this file is loaded: it may end before the packages are. */
const parent = process.ppid;

/** Whether npm has started the service. */
export function isStartedByNpm(): boolean {
  return SCRIPTS.includes(npmScript());
}

/**
 * Calls back when the shell in which npm has started the service has ended: then another process is the parent, or on
 * Windows, where a process keeps the number of its parent, none runs. npm passes SIGTERM on to that shell alone, which ends by it and leaves
 * the service behind. Without npm the parent may go: a service is often left to run by a shell that ends.
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
