import { isatty } from 'node:tty';
import { type Logger, pino } from 'pino';
import { currentContext, idsIn } from '../http/request-context';
import { LineBuffer } from './line-buffer';
import { lineTime } from './line-time';
import { type LogDestination, LogOutput } from './log-output';
import { terminal } from './terminal';

/** What a line says it is of. */
const SERVICE = 'petstore';

const STANDARD_ERROR = 2;

/** What may wait to be written while the destination cannot take it, in bytes; more is dropped. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024;

/**
 * Makes the process's logger: JSON lines, readable ones on a terminal; a key is never among them. What is logged within a
 * request carries its ids.
 *
 * @param destination where lines go; standard error unless told, because standard output belongs to results
 */
export function createLogger(level: string, destination: LogDestination = standardError()): Logger {
  return pino(
    {
      level,
      base: { service: SERVICE },
      timestamp: () => `,"time":"${lineTime()}"`,
      mixin: (members) => {
        const context = 'requestId' in members ? undefined : currentContext();
        return context ? idsIn(context) : NOTHING;
      },
      mixinMergeStrategy: (members, ids) => (ids === NOTHING ? members : { ...ids, ...members }),
    },
    new LogOutput(destination),
  );
}

const NOTHING = {};

function standardError(): LogDestination {
  // Not process.stderr.isTTY: the stream that makes would leave a pipe in non-blocking mode.
  if (isatty(STANDARD_ERROR)) return terminal(STANDARD_ERROR);
  const stream = pino.destination({ fd: STANDARD_ERROR, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  // A full disk under the log is no reason to stop serving.
  stream.on('error', () => undefined);
  const buffer = new LineBuffer(stream);
  process.once('exit', () => buffer.flush());
  return buffer;
}
