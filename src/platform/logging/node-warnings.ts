import type { Logger } from 'pino';

/** Logs the warnings of Node. Node itself would write them to standard error and wait there for the reader. */
export function logWarnings(logger: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: warning }, warning.message));
}
