import { AppError, defineError } from '../errors/app-error';

/** A command cannot be carried out. */
export const CommandError = defineError({
  code: 'command_failed',
  status: 500,
  message: 'The command could not be carried out.',
});

/** The command was written wrongly. */
export const UsageError = defineError({
  code: 'wrong_usage',
  status: 400,
  message: 'The command is not valid.',
});

/** The command is not allowed in the present state, or the operator said no. */
export const RefusedError = defineError({
  code: 'command_refused',
  status: 409,
  message: 'Nothing was changed.',
});

/** Exit codes of commands, for scripts. */
export const ExitCode = { done: 0, failed: 1, usage: 2, notFound: 3, refused: 4, tryLater: 5 } as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Exit codes by status; any other is {@link ExitCode.refused} below 500, and {@link ExitCode.failed} from there on. */
const EXIT_CODES: Readonly<Record<number, ExitCode>> = {
  400: ExitCode.usage,
  404: ExitCode.notFound,
  // A file that does not hold what its type says: reading it failed.
  415: ExitCode.failed,
  422: ExitCode.usage,
  // Read-only mode, or a database that does not serve.
  503: ExitCode.tryLater,
};

/** Returns the exit code of an error that a command throws. */
export function exitCodeOf(error: unknown): ExitCode {
  // A database that cannot be opened says itself whether that is for a moment.
  if ((error as { isForNow?: boolean }).isForNow) return ExitCode.tryLater;
  if (!(error instanceof AppError)) return ExitCode.failed;
  return EXIT_CODES[error.status] ?? (error.status < 500 ? ExitCode.refused : ExitCode.failed);
}

/** Explains an error to the operator: in sentences, never with a stack. */
export function explainFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Its message is meant for clients of the service; the operator wants the cause.
  if (error instanceof AppError && error.status === 503 && error.cause instanceof Error) {
    return `The database cannot serve at the moment: ${error.cause.message}.`;
  }
  return error.message || error.name;
}
