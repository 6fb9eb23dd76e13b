import { type Logger, pino } from 'pino';
import { currentIds } from '../tracing/request-context';
import { lineTime } from './line-time';
import { type LogDestination, LogOutput } from './log-output';
import type { LogStream } from './log-stream';
import { type RequestLine, REQUEST_MESSAGE } from './request-line';
import { isTerminal, standardError } from './standard-error';

/** Name of the service in each line. */
const SERVICE = 'petstore';

/**
 * Creates the process's logger: JSON lines, readable ones on a terminal, never with a key. Lines logged within a request carry
 * its ids.
 *
 * @param destination of the lines; standard error unless given, because standard output belongs to results
 */
export function createLogger(level: string, destination?: LogDestination): Logger {
  const logger = pino(
    {
      level,
      base: { service: SERVICE },
      timestamp: () => `,"time":"${lineTime()}"`,
      mixin: (members) => ('requestId' in members ? undefined : currentIds()) ?? NOTHING,
      mixinMergeStrategy: (members, ids) => (ids === NOTHING ? members : { ...ids, ...members }),
    },
    new LogOutput(destination ?? (isTerminal() ? terminal(standardError()) : standardError())),
  );
  if (!destination) {
    standardError().onGap = (lines) => {
      // Unset, or the line would carry the id of the request that happens to be in progress.
      logger.warn(
        { requestId: undefined, lines },
        'Lines of the log were dropped, because its reader did not keep up.',
      );
    };
  }
  return logger;
}

const NOTHING = {};

/** Members that the message has already, or that are no use on a terminal. */
const LEFT_OUT = [
  'pid',
  'hostname',
  'service',
  'requestId',
  'traceId',
  'spanId',
  'method',
  'route',
  'status',
  'code',
  'durationMs',
  'keyId',
  'aborted',
  'migrations',
];

/** Writes lines for a person at a terminal, who sees them at once. */
function terminal(stream: LogStream): LogDestination {
  // Loaded here: a process without a terminal does not need it.
  const { prettyFactory } = require('pino-pretty') as typeof import('pino-pretty');
  const pretty = prettyFactory({
    ignore: LEFT_OUT.join(','),
    translateTime: 'SYS:HH:MM:ss.l',
    messageFormat: (line, messageKey) => {
      const message = String(line[messageKey]);
      const { requestId } = line;
      const text = message === REQUEST_MESSAGE ? describe(line as unknown as RequestLine) : message;
      return typeof requestId === 'string' ? `${text}  ${requestId}` : text;
    },
  });
  return {
    get isBehind() {
      return stream.isBehind;
    },
    write: (line) => stream.write(pretty(line)),
    writeLater: (line) => {
      stream.writeLater(pretty(line));
      stream.flush();
    },
  };
}

function describe({ method, route, status, code, durationMs, aborted }: RequestLine): string {
  const parts = [method ?? 'refused', route ?? (method && '(no route)'), status ?? '(no response)', code];
  if (durationMs !== undefined) parts.push(`${durationMs.toFixed(1)} ms`);
  if (aborted) parts.push('(the client went away)');
  return parts.filter((part) => part !== undefined).join(' ');
}

/** Logs the warnings of Node. Node itself would write them to standard error and wait there for the reader. */
export function logWarnings(logger: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: warning }, warning.message));
}
