import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { DataSource } from 'typeorm';
import { commandLineEnvironment } from '../../platform/config/command-line-environment';
import { CommandError } from '../../platform/cli/command-error';

/** Parameters of an address that the programs of PostgreSQL understand; node-postgres has others, which they refuse. */
const LIBPQ_PARAMETERS: ReadonlySet<string> = new Set([
  ...['application_name', 'connect_timeout', 'host', 'options', 'port', 'target_session_attrs'],
  ...['ssl', 'sslcert', 'sslkey', 'sslmode', 'sslrootcert'],
]);

/** A program of PostgreSQL ended with a fault, which the message has. */
export class ProgramFailedError extends CommandError {}

/**
 * Dumps a PostgreSQL database into a file, as it is at one moment, and reads the table of contents of the dump.
 *
 * @param file an empty file, which keeps its permissions
 * @throws CommandError if a program fails or is missing; the file is of no use then
 */
export async function dumpPostgres(
  { options }: DataSource,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  const { address, environment } = connectionOf((options as { readonly url: string }).url);
  const dump = ['--format=custom', '--no-owner', '--no-password', `--file=${file}`];
  await run('pg_dump', [...dump, `--dbname=${address}`], environment, signal);
  await run('pg_restore', ['--list', file], commandLineEnvironment().variables, signal);
}

/**
 * Restores a dump into an empty database, all of it or nothing.
 *
 * @throws CommandError if the program fails or is missing
 */
export async function restorePostgres(url: string, file: string, signal: AbortSignal): Promise<void> {
  const { address, environment } = connectionOf(url);
  const restore = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-password'];
  await run('pg_restore', [...restore, `--dbname=${address}`, file], environment, signal);
}

function connectionOf(url: string) {
  const { address, password } = addressOf(url);
  const { variables } = commandLineEnvironment();
  return { address, environment: { ...variables, ...(password !== '' && { PGPASSWORD: password }) } };
}

/** Turns an address of node-postgres into one for libpq, and takes the password from it: the command line of a process can be read by every user of the machine. */
export function addressOf(url: string): { readonly address: string; readonly password: string } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = '';
  for (const name of [...address.searchParams.keys()]) {
    if (!LIBPQ_PARAMETERS.has(name)) address.searchParams.delete(name);
  }
  const { searchParams } = address;
  const mode = searchParams.get('sslmode') ?? searchParams.get('ssl');
  searchParams.delete('ssl');
  // Encrypted, without a look at the certificate: in libpq's word.
  if (mode !== null && ['no-verify', 'true', '1'].includes(mode)) searchParams.set('sslmode', 'require');
  // The authorities that Node.js knows are those of the system, more or less; libpq would look into the home directory.
  if (mode === 'verify-full' && !searchParams.has('sslrootcert')) searchParams.set('sslrootcert', 'system');
  return { address: address.href, password };
}

/** @throws CommandError with what the program said */
async function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<void> {
  // In a group of its own: Ctrl+C is for this process, which ends the program itself, or lets it complete the backup.
  const child = spawn(program, args, { env, signal, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const [said] = await Promise.all([text(child.stderr), once(child, 'close')]);
    if (child.exitCode !== 0) throw new ProgramFailedError(`${program} failed. ${said.trim()}`);
  } catch (error) {
    if (signal?.aborted)
      throw new CommandError({ message: `Interrupted: ${program} was ended.`, cause: error });
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new CommandError(
      `There is no ${program} here: install the client programs of PostgreSQL, in the version of the server or a newer one.`,
    );
  }
}
