/** Variables of the person's environment that the command line reads. None of them is read from `.env`. */
export interface CommandLineEnvironment {
  /** The npm script that runs the command line, if any. */
  readonly script: string | undefined;
  /** All of them, for programs that the command line starts. */
  readonly variables: NodeJS.ProcessEnv;
}

/** Reads these variables. */
export function commandLineEnvironment(): CommandLineEnvironment {
  return { script: process.env['npm_lifecycle_event'], variables: process.env };
}
