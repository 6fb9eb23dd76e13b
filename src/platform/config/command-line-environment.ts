import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the command line reads of its environment for work on servers. It is the person's own, so none of it stands in `.env`. */
export interface CommandLineEnvironment {
  /** The address of the console of the server that commands run on; undefined when they work here. */
  readonly server: string | undefined;
  /** Where the command line stores what belongs to the person (XDG Base Directory Specification). */
  readonly folder: string;
}

/** Reads it. An empty variable counts as unset. */
export function commandLineEnvironment(): CommandLineEnvironment {
  const { PETSTORE_SERVER: server, XDG_CONFIG_HOME: home } = process.env;
  return { server: server || undefined, folder: join(home || join(homedir(), '.config'), 'petstore') };
}
