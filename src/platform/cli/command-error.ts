/** What a command's exit code says to a script. */
export const ExitCode = { done: 0, failed: 1, usage: 2, notFound: 3, refused: 4 } as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** A command cannot be carried out; the message is for the operator. */
export class CommandError extends Error {
  readonly exitCode: ExitCode = ExitCode.failed;
}

/** The command was written wrongly. */
export class UsageError extends CommandError {
  override readonly exitCode = ExitCode.usage;
}

/** What the command names does not exist. */
export class NotFoundError extends CommandError {
  override readonly exitCode = ExitCode.notFound;
}

/** What the command asks for is not allowed in the present state, or the person answered no. */
export class RefusedError extends CommandError {
  override readonly exitCode = ExitCode.refused;
}
