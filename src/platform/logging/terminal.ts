import type { LogDestination } from './log-output';
import type { LogStream } from './log-stream';
import { type RequestLine, REQUEST_MESSAGE } from './request-line';

/** Members that are in the message already, or that are no use on a terminal. */
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

/** Lines for a person at a terminal, who sees them at once. */
export function terminal(stream: LogStream): LogDestination {
  // Loaded here: a process without a terminal needs none of it.
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
