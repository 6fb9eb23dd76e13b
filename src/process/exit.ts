import type { Logger } from '../platform/logging/logging.module';
import { standardError } from '../platform/logging/standard-error';

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
