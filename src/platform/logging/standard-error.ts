import { constants, fstatSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { LogStream } from './log-stream';

const STANDARD_ERROR = 2;

let stream: LogStream | undefined;

/** Returns the standard error of the process, which belongs to its log. */
export function standardError(): LogStream {
  return (stream ??= openStandardError());
}

/** Tells whether standard error is a terminal. */
export function isTerminal(): boolean {
  return isatty(STANDARD_ERROR);
}

function openStandardError(): LogStream {
  const opened = openAnew() ?? new LogStream(STANDARD_ERROR, makeNonBlocking);
  process.once('exit', () => opened.flushAtExit());
  return opened;
}

/**
 * Opens standard error with a mode of its own, where the system allows that. All processes that share a pipe or a terminal
 * share its mode: the others would lose their own lines while it is full, and may change the mode at any time.
 */
function openAnew(): LogStream | undefined {
  // A disk takes bytes at once, and a file opened anew would be written from its beginning.
  if (fstatSync(STANDARD_ERROR).isFile()) return new LogStream(STANDARD_ERROR);
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    return new LogStream(openSync(`/proc/self/fd/${STANDARD_ERROR}`, O_WRONLY | O_NONBLOCK | O_NOCTTY));
  } catch {
    // Sockets cannot be opened, nor a pipe of another user, and only Linux opens the file behind another descriptor.
    return undefined;
  }
}

/**
 * Makes it non-blocking again: Node makes it blocking for all that share it whenever it starts a process, or one of them ends.
 */
function makeNonBlocking(): void {
  const { _handle: handle } = process.stderr as { _handle?: { setBlocking?(isBlocking: boolean): void } };
  handle?.setBlocking?.(false);
}
