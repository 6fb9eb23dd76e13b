import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { commandLineEnvironment } from '../../config/command-line-environment';
import { AppError } from '../../errors/app-error';
import { type Cli, JSON_OPTION } from '../cli';
import { RefusedError, UsageError } from '../command-error';
import { interruptible } from '../interruption';
import type { Output } from '../output';
import { printable } from '../table';
import type { BegunSignIn, SignInProgress } from './protocol';
import { RemoteServer } from './remote-server';
import { readServer } from './server-address';
import { findSession, removeSession, storeSession } from './stored-session';

type SignedIn = Extract<SignInProgress, { state: 'signed_in' }>;

/** Seconds added to the wait after each `slow_down` (RFC 8628, 3.5). */
const SLOWER = 5;

/** `petstore login` and `petstore logout`: a session of the console of a server, for `--server`. */
export function addLoginCommands(program: Command, cli: Cli): void {
  program
    .command('login')
    .description('sign in to the console of a server with a browser, for commands that run there')
    .argument('[address]', 'address of the console (default: --server, or PETSTORE_SERVER)')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nThe browser may be on another machine. Commands run on the server that --server or PETSTORE_SERVER names.\n\nExamples:\n  petstore login https://console.example.com\n  petstore login https://console.example.com --json',
    )
    .action(async (address: string | undefined, { json }: { json?: true }) => {
      const server = new RemoteServer(serverNamed(address, program));
      const { token, actor, name } = await interruptible((signal) => signIn(server, cli.output, signal));
      const before = await findSession(server.origin);
      const file = await storeSession({ server: server.origin, token });
      // The replaced session is not used any more. If it cannot be ended now, it ends by itself.
      if (before) await server.signOut(before.token).catch(() => undefined);
      if (json) cli.output.json({ server: server.origin, actor, name });
      cli.output.message(
        `Signed in to ${server.origin} as ${printable(name)}; the session is stored in ${file}.\nCommands run there with --server ${server.origin}.`,
      );
    });

  program
    .command('logout')
    .description('end the session that "petstore login" began')
    .argument('[address]', 'address of the console (default: --server, or PETSTORE_SERVER)')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  petstore logout https://console.example.com')
    .action(async (address: string | undefined, { json }: { json?: true }) => {
      const server = new RemoteServer(serverNamed(address, program));
      const session = await findSession(server.origin);
      if (!session) throw new RefusedError(`You are not signed in to ${server.origin}.`);
      await server.signOut(session.token);
      await removeSession(server.origin);
      if (json) cli.output.json({ server: server.origin });
      cli.output.message(`Signed out of ${server.origin}.`);
    });
}

/**
 * Returns the server that the person named, as argument, option or variable.
 *
 * @throws UsageError
 */
function serverNamed(address: string | undefined, program: Command): string {
  const { server = commandLineEnvironment().server } = program.opts<{ server?: string }>();
  const text = address ?? server;
  if (text === undefined) {
    throw new UsageError('Name the console: "petstore login https://console.example.com".');
  }
  return readServer(text);
}

async function signIn(server: RemoteServer, output: Output, signal: AbortSignal): Promise<SignedIn> {
  const begun = await server.beginSignIn();
  const { userCode, address, addressWithCode } = begun;
  const code = printable(userCode);
  output.message(
    addressWithCode === null
      ? `Open ${printable(address)} in a browser and enter the code ${code}.`
      : `Open ${printable(addressWithCode)} in a browser and check that it shows the code ${code};\nor enter the code at ${printable(address)}.`,
  );
  return waitFor(server, begun, signal);
}

/** Polls until the person has signed in. @throws AppError when the sign-in failed */
async function waitFor(server: RemoteServer, begun: BegunSignIn, signal: AbortSignal): Promise<SignedIn> {
  const end = performance.now() + begun.expiresIn * 1_000;
  let { interval } = begun;
  while (performance.now() < end) {
    await pause(interval * 1_000, undefined, { signal }).catch(() => {
      throw new RefusedError('Interrupted: you are not signed in.');
    });
    const progress = await ask(server, begun.deviceCode);
    if (progress.state === 'signed_in') return progress;
    if (progress.state === 'slow_down') interval += SLOWER;
  }
  throw new RefusedError('The code has expired: run "petstore login" again.');
}

/** Polls once; a server that is away or busy counts as `slow_down`. */
async function ask(server: RemoteServer, deviceCode: string): Promise<SignInProgress> {
  try {
    return await server.continueSignIn(deviceCode);
  } catch (error) {
    if (error instanceof AppError && error.status === 503) return { state: 'slow_down' };
    throw error;
  }
}
