import type { Logger } from '../platform/logging/logging.module';
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

function exitWith(error: unknown, logger: Logger): never {
  logger.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
