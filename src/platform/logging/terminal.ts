import pinoPretty from 'pino-pretty';
import type { DestinationStream } from 'pino';
import { type RequestLine, REQUEST_MESSAGE } from './request-line';

/** Members that are in the message already, or that nobody reads on a terminal. */
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
  'durationMs',
  'keyId',
  'aborted',
];

/** Lines for a person at a terminal, written to a file descriptor at once. */
export function terminal(destination: number | NodeJS.WritableStream): DestinationStream {
  return pinoPretty({
    destination,
    sync: true,
    ignore: LEFT_OUT.join(','),
    translateTime: 'SYS:HH:MM:ss.l',
    messageFormat: (line, messageKey) => {
      const message = String(line[messageKey]);
      const { requestId } = line;
      const text = message === REQUEST_MESSAGE ? describe(line as unknown as RequestLine) : message;
      return typeof requestId === 'string' ? `${text}  ${requestId}` : text;
    },
  });
}

function describe({ method, route, status, durationMs, aborted }: RequestLine): string {
  const parts = [method ?? 'refused', route ?? (method && '(no route)'), status ?? '(no answer)'];
  if (durationMs !== undefined) parts.push(`${durationMs.toFixed(1)} ms`);
  if (aborted) parts.push('(the client went away)');
  return parts.filter((part) => part !== undefined).join(' ');
}
