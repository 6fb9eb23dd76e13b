import { homedir } from 'node:os';
import { join } from 'node:path';

/** Variables of the person's environment that the command line reads. None of them is read from `.env`. */
export interface CommandLineEnvironment {
  /** The address of the console of the server that commands run on; undefined when they work here. */
  readonly server: string | undefined;
  /** Folder of the command line for the person's files (XDG Base Directory Specification). */
  readonly folder: string;
  /** The npm script that runs the command line, if any. */
  readonly script: string | undefined;
  /** All of them, for programs that the command line starts. */
  readonly variables: NodeJS.ProcessEnv;
}

/** Reads these variables. An empty variable counts as unset. */
export function commandLineEnvironment(): CommandLineEnvironment {
  const { PETSTORE_SERVER: server, XDG_CONFIG_HOME: home, npm_lifecycle_event: script } = process.env;
  return {
    server: server || undefined,
    folder: join(home || join(homedir(), '.config'), 'petstore'),
    script,
    variables: process.env,
  };
}
