import { type DestinationStream, type Logger, pino } from 'pino';
import pinoPretty from 'pino-pretty';
import { redactTokens } from './redact-tokens';

/**
 * Makes the process's logger: JSON lines, readable ones on a terminal; a key is never among them.
 *
 * @param destination where lines go; standard error unless told, because standard output belongs to results
 */
export function createLogger(level: string, destination: DestinationStream = defaultDestination()): Logger {
  const redacted = { write: (line: string) => destination.write(redactTokens(line)) };
  return pino({ level, base: { service: 'petstore' }, timestamp: pino.stdTimeFunctions.isoTime }, redacted);
}

function defaultDestination(): DestinationStream {
  return process.stderr.isTTY
    ? pinoPretty({ destination: 2, sync: true, ignore: 'pid,hostname,service' })
    : pino.destination({ fd: 2, sync: true });
}
