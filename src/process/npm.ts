import { npmScript } from '../platform/config/npm-script';

/** The scripts of `package.json` whose last command is the service. */
const SCRIPTS: readonly (string | undefined)[] = ['start', 'quickstart'];

/** How often the parent is compared with that of the start, in milliseconds. */
const POLL_MS = 250;

/** Parent of this process. Read while this file is loaded: it may end before the packages are. */
const parent = process.ppid;

/** Whether npm has started the service. */
export function isStartedByNpm(): boolean {
  return SCRIPTS.includes(npmScript());
}

/**
 * Calls back when the shell in which npm has started the service has ended; never on Windows, where a process keeps the number of
 * its parent. npm passes SIGTERM on to that shell alone, which ends by it and leaves the service behind. Without npm the parent
 * may go: a service is often left to run by a shell that ends.
 */
export function onNpmEnd(callback: () => void): void {
  if (!isStartedByNpm()) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, POLL_MS);
  timer.unref();
}
