import { type DestinationStream, type Logger, pino } from 'pino';
import pinoPretty from 'pino-pretty';

/** Anything of this form is a key, wherever it turns up. */
const TOKEN = /petk_[0-9A-Za-z]{8,}/g;

/**
 * Makes the process's logger: JSON lines, readable ones on a terminal; a key is never among them.
 *
 * @param destination where lines go; standard error unless told, because standard output belongs to results
 */
export function createLogger(level: string, destination: DestinationStream = defaultDestination()): Logger {
  const redacted = { write: (line: string) => destination.write(line.replaceAll(TOKEN, 'petk_[redacted]')) };
  return pino({ level, base: { service: 'petstore' }, timestamp: pino.stdTimeFunctions.isoTime }, redacted);
}

function defaultDestination(): DestinationStream {
  return process.stderr.isTTY
    ? pinoPretty({ destination: 2, sync: true, ignore: 'pid,hostname,service' })
    : pino.destination({ fd: 2, sync: true });
}
