import { constants, fstatSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { LogStream } from './log-stream';

const STANDARD_ERROR = 2;

let stream: LogStream | undefined;

/** The standard error of the process, which belongs to its log. */
export function standardError(): LogStream {
  return (stream ??= openStandardError());
}

/** Whether a person reads it. */
export function isTerminal(): boolean {
  return isatty(STANDARD_ERROR);
}

function openStandardError(): LogStream {
  const opened = openAnew() ?? new LogStream(STANDARD_ERROR, makeNonBlocking);
  process.once('exit', () => opened.flushAtExit());
  return opened;
}

/**
 * Standard error with a mode of its own, where that can be had. The mode of a pipe or a terminal is shared by all that were
 * given the same: others would lose what they write while it is full, and may change the mode at any time.
 */
function openAnew(): LogStream | undefined {
  // What a disk takes it takes at once; and a file opened anew would be written from its beginning.
  if (fstatSync(STANDARD_ERROR).isFile()) return new LogStream(STANDARD_ERROR);
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    return new LogStream(openSync(`/proc/self/fd/${STANDARD_ERROR}`, O_WRONLY | O_NONBLOCK | O_NOCTTY));
  } catch {
    // Sockets cannot be opened, nor a pipe of another user, and only Linux opens what another descriptor stands for.
    return undefined;
  }
}

/** Node makes it blocking again for all that share it whenever it starts a process, or one of them ends. */
function makeNonBlocking(): void {
  const { _handle: handle } = process.stderr as { _handle?: { setBlocking?(isBlocking: boolean): void } };
  handle?.setBlocking?.(false);
}
