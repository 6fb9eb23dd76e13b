import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { DataSource } from 'typeorm';
import { commandLineEnvironment } from '../../platform/config/command-line-environment';
import { CommandError, RefusedError } from '../../platform/cli/command-error';

/** Parameters of an address that the programs of PostgreSQL understand; node-postgres has others, which they refuse. */
const LIBPQ_PARAMETERS: ReadonlySet<string> = new Set([
  ...['application_name', 'connect_timeout', 'host', 'options', 'port', 'target_session_attrs'],
  ...['ssl', 'sslcert', 'sslkey', 'sslmode', 'sslrootcert'],
]);

/**
 * Values of `ssl` and `sslmode` with which node-postgres verifies the certificate and the name of the server, unless
 * `uselibpqcompat` is true.
 */
const VERIFYING: ReadonlySet<string> = new Set([
  'true',
  '1',
  'prefer',
  'require',
  'verify-ca',
  'verify-full',
]);

/** A program of PostgreSQL ended with a fault, which the message has. */
class ProgramFailedError extends CommandError {}

/** A dump cannot be read; the message has why. */
export class UnreadableDumpError extends CommandError {}

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
  const { url } = options as { readonly url: string };
  const { address, environment } = await connectionOf(url, 'pg_dump', signal);
  const dump = ['--format=custom', '--no-owner', '--no-password', `--file=${file}`];
  await run('pg_dump', [...dump, `--dbname=${address}`], environment, signal);
  await run('pg_restore', ['--list', file], commandLineEnvironment().variables, signal);
}

const SERVER_MAJOR = `SELECT current_setting('server_version_num')::int / 10000 AS major`;

/**
 * Refuses a pg_restore that sets `transaction_timeout`, which servers before PostgreSQL 17 do not know.
 *
 * @throws RefusedError
 */
export async function assertRestores(served: DataSource, signal: AbortSignal): Promise<void> {
  const client = await majorOf('pg_restore', signal);
  const [{ major: server }] = await served.query<[{ major: number }]>(SERVER_MAJOR);
  if (client < 17 || server >= 17) return;
  throw new RefusedError(
    `pg_restore ${client} restores nothing into PostgreSQL ${server}: use the client programs of PostgreSQL ${server}, for backups too.`,
  );
}

/**
 * Restores a dump into an empty database, all of it or nothing.
 *
 * @throws UnreadableDumpError if the dump is at fault; CommandError if the program fails otherwise or is missing
 */
export async function restorePostgres(url: string, file: string, signal: AbortSignal): Promise<void> {
  const { address, environment } = await connectionOf(url, 'pg_restore', signal);
  const restore = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-password'];
  try {
    await run('pg_restore', [...restore, `--dbname=${address}`, file], environment, signal);
  } catch (error) {
    if (error instanceof ProgramFailedError) await assertReadable(file, signal);
    throw error;
  }
}

/** Messages of pg_restore, in English, of a dump that it cannot open or that a newer pg_dump has made. */
const NOT_OF_THE_DUMP = /could not open input file|unsupported version/;

/** Reads all of a dump without a server. @throws UnreadableDumpError */
async function assertReadable(file: string, signal: AbortSignal): Promise<void> {
  const english = { ...commandLineEnvironment().variables, LC_ALL: 'C' };
  try {
    await run('pg_restore', ['--file=/dev/null', file], english, signal);
  } catch (error) {
    if (!(error instanceof ProgramFailedError) || NOT_OF_THE_DUMP.test(error.message)) throw error;
    throw new UnreadableDumpError({ message: error.message, cause: error });
  }
}

/** An address as an argument of a program of PostgreSQL, and the environment of the program. */
async function connectionOf(url: string, program: string, signal: AbortSignal | undefined) {
  const { address, password } = addressOf(url);
  const { variables } = commandLineEnvironment();
  const { href } = await withAuthorities(address, variables, () => majorOf(program, signal));
  return { address: href, environment: { ...variables, ...(password !== '' && { PGPASSWORD: password }) } };
}

/** Turns an address of node-postgres into one for libpq, and takes the password from it: the command line of a process can be read by every user of the machine. */
export function addressOf(url: string): { readonly address: URL; readonly password: string } {
  const address = new URL(url);
  const { searchParams } = address;
  const password = decodeURIComponent(address.password);
  address.password = '';
  const mode = searchParams.get('sslmode') ?? searchParams.get('ssl');
  const isOfLibpq = searchParams.get('uselibpqcompat') === 'true';
  for (const name of [...searchParams.keys()]) {
    if (!LIBPQ_PARAMETERS.has(name)) searchParams.delete(name);
  }
  searchParams.delete('ssl');
  if (mode === 'no-verify') searchParams.set('sslmode', 'require');
  else if (!isOfLibpq && mode !== null && VERIFYING.has(mode)) searchParams.set('sslmode', 'verify-full');
  return { address, password };
}

/**
 * Lets libpq trust the authorities of the system, nearly those of Node.js, where it would know none: neither the address nor
 * the environment nor the home directory names any. Libraries before 16 cannot: they refuse to connect.
 *
 * @param major returns the version of the library
 */
export async function withAuthorities(
  address: URL,
  variables: NodeJS.ProcessEnv,
  major: () => Promise<number>,
): Promise<URL> {
  const { searchParams } = address;
  const own = join(variables['HOME'] ?? homedir(), '.postgresql', 'root.crt');
  const areNamed = searchParams.has('sslrootcert') || Boolean(variables['PGSSLROOTCERT']) || existsSync(own);
  if (searchParams.get('sslmode') !== 'verify-full' || areNamed || (await major()) < 16) return address;
  const trusting = new URL(address);
  trusting.searchParams.set('sslrootcert', 'system');
  return trusting;
}

/** The major version of a program of PostgreSQL and of its library, 0 if the program does not tell. */
async function majorOf(program: string, signal: AbortSignal | undefined): Promise<number> {
  const said = await run(program, ['--version'], commandLineEnvironment().variables, signal);
  return Number(/\(PostgreSQL\) (\d+)/.exec(said)?.[1] ?? 0);
}

/** Returns what a program wrote. @throws CommandError with what it said on its standard error */
async function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<string> {
  // In a group of its own: Ctrl+C is for this process, which ends the program itself, or lets it complete the backup.
  const child = spawn(program, args, { env, signal, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const [written, said] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    if (child.exitCode !== 0) throw new ProgramFailedError(`${program} failed. ${said.trim()}`);
    return written;
  } catch (error) {
    if (signal?.aborted)
      throw new CommandError({ message: `Interrupted: ${program} was ended.`, cause: error });
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new CommandError(
      `There is no ${program} here: install the client programs of PostgreSQL, in the version of the server or a newer one.`,
    );
  }
}
