import type { Logger } from '../platform/logging/logging.module';
import { standardError } from '../platform/logging/standard-error';
import { isStartedByNpm, onNpmEnd } from './npm';
import { onSignals } from './signals';

/**
 * Milliseconds within which a second signal counts as the first one passed on by npm. A terminal sends Ctrl+C to all its
 * processes, and if the shell of npm's scripts is bash, the service is npm's child and gets the signal from both.
 */
const PASSED_ON_MS = 500;

/** Steps and time limit for ending a process. */
export interface Ending {
  /**
   * Ends everything; rejects if something had to be cut off.
   *
   * @param signal unset where npm has ended
   */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Milliseconds that `stop` may take. */
  readonly limitMs: number;
}

/**
 * Stops and exits at SIGTERM or SIGINT, or when the npm that started the service has ended (see {@link exitAfter}). A second
 * signal exits at once, with 1: it means that the operator does not want to wait any longer.
 */
export function exitAtSignal(ending: Ending, logger: Logger): void {
  let isStopping = false;
  let signalledAt: number | undefined;
  const passedOnMs = isStartedByNpm() ? PASSED_ON_MS : 0;
  const stop = (signal?: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    exitAfter(ending, logger, signal);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    signalledAt ??= now;
    if (now - signalledAt > passedOnMs) process.exit(1);
    stop(signal);
  };
  onSignals(onSignal);
  onNpmEnd(() => {
    if (!isStopping) logger.info('npm, which started the service, has ended.');
    stop();
  });
}

/** Stops and exits: with 0 if all has ended well, otherwise with 1 and a line in the log. */
function exitAfter(ending: Ending, logger: Logger, signal?: NodeJS.Signals): void {
  // This also ends a process that waits for something that will never come.
  setTimeout(() => {
    logger.error(`The service did not stop within ${ending.limitMs / 1_000} seconds and was ended.`);
    process.exit(1);
  }, ending.limitMs);
  ending.stop(signal).then(
    () => process.exit(0),
    (error: unknown) => exitWith(error, logger),
  );
}

/** Errors of code that is at fault: the stack names the line. */
const CODE_FAULTS = [ReferenceError, SyntaxError, TypeError];

/** Ends a process that cannot start, with 1 and one sentence for its operator; with the stack where code is at fault. */
export function exitAtFailedStart(error: unknown): never {
  const isCodeFault = CODE_FAULTS.some((fault) => error instanceof fault);
  const message = error instanceof Error ? error.message : String(error);
  const text = (isCodeFault && (error as Error).stack) || message;
  standardError().write(`${text}\n`);
  process.exit(1);
}

/** Uncaught errors and rejections leave the process in an unknown state: they are logged, and it exits with 1. */
export function exitAtFault(logger: Logger): void {
  // Rejections come here too: that is Node's default.
  process.on('uncaughtException', (error) => {
    try {
      logger.fatal({ err: error }, 'An uncaught error ended the service.');
    } finally {
      process.exit(1);
    }
  });
}

function exitWith(error: unknown, logger: Logger): never {
  logger.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
