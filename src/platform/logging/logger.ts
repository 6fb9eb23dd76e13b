import cluster from 'node:cluster';
import { type Logger, pino } from 'pino';
import { currentContext, idsIn } from '../tracing/request-context';
import { lineTime } from './line-time';
import { type LogDestination, LogOutput } from './log-output';
import { isTerminal, standardError } from './standard-error';
import { terminal } from './terminal';

/** What a line says it is of. */
const SERVICE = 'petstore';

/**
 * Makes the process's logger: JSON lines, readable ones on a terminal; a key is never among them. What is logged within a
 * request carries its ids.
 *
 * @param destination where lines go; standard error unless told, because standard output belongs to results
 */
export function createLogger(level: string, destination?: LogDestination): Logger {
  const logger = pino(
    {
      level,
      base: { service: SERVICE, worker: cluster.worker?.id },
      timestamp: () => `,"time":"${lineTime()}"`,
      mixin: (members) => {
        const context = 'requestId' in members ? undefined : currentContext();
        return context ? idsIn(context) : NOTHING;
      },
      mixinMergeStrategy: (members, ids) => (ids === NOTHING ? members : { ...ids, ...members }),
    },
    new LogOutput(destination ?? (isTerminal() ? terminal(standardError()) : standardError())),
  );
  if (!destination) {
    standardError().onGap = (lines) => {
      // Not the id of the request that happens to be in progress.
      logger.warn(
        { requestId: undefined, lines },
        'Lines of the log were dropped, because what reads it did not keep up.',
      );
    };
  }
  return logger;
}

const NOTHING = {};

/** Logs the warnings of Node. Node itself would write them to standard error and wait there for the reader. */
export function logWarnings(logger: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: warning }, warning.message));
}
