import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, pino, symbols } from 'pino';
import { currentContext, idsIn } from '../http/request-context';
import { LineBuffer } from './line-buffer';
import { redactTokens } from './redact-tokens';
import { REQUEST_MESSAGE } from './request-log';
import { terminal } from './terminal';

const STANDARD_ERROR = 2;

/** What may wait to be written while the destination cannot take it, in bytes; more is dropped. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024;

/** Where lines go. */
export interface LogDestination extends DestinationStream {
  /** Takes a line that may wait a little. */
  writeLater?(line: string): void;
}

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
      base: { service: 'petstore' },
      timestamp: timeMember,
      mixin: (members) => {
        const context = 'requestId' in members ? undefined : currentContext();
        return context ? idsIn(context) : NOTHING;
      },
      mixinMergeStrategy: (members, ids) => (ids === NOTHING ? members : { ...ids, ...members }),
    },
    new Output(destination),
  );
}

const NOTHING = {};

/** The one place every line goes through, whoever logs it. */
class Output implements DestinationStream {
  /** Has pino leave the message of a line in `lastMsg` before it writes it. */
  readonly [symbols.needsMetadataGsym] = true;
  lastMsg: string | undefined;

  constructor(private readonly destination: LogDestination) {}

  write(line: string): void {
    const text = redactTokens(line);
    if (this.lastMsg === REQUEST_MESSAGE && this.destination.writeLater) this.destination.writeLater(text);
    else this.destination.write(text);
  }
}

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

let lastMs = 0;
let lastTime = '';

/** The time as pino wants it; requests that end within a millisecond share the text. */
function timeMember(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastTime;
}
