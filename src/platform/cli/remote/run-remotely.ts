import { AppError } from '../../errors/app-error';
import { ExitCode, exitCodeOf, explainFault, RefusedError } from '../command-error';
import type { ProcessOutput } from '../process-output';
import type { Question, RemoteCommand } from './protocol';
import { RemoteServer } from './remote-server';
import { readServer } from './server-address';
import { findSession } from './stored-session';

/**
 * Runs a command on a server, as the person who is signed in there.
 *
 * @param address of the server's console
 * @param args without the program's own name
 * @returns the exit code; nothing is thrown
 */
export async function runRemotely(
  address: string,
  args: readonly string[],
  output: ProcessOutput,
): Promise<ExitCode> {
  try {
    const server = new RemoteServer(readServer(address));
    const session = await findSession(server.origin);
    if (!session) {
      throw new RefusedError(`You are not signed in to ${server.origin}. ${signInNeeded(server)}`);
    }
    return await run(server, session.token, args, output);
  } catch (error) {
    output.message(explainFault(error));
    return exitCodeOf(error);
  }
}

async function run(
  server: RemoteServer,
  token: string,
  args: readonly string[],
  output: ProcessOutput,
): Promise<ExitCode> {
  const { isTerminal = false, hasColours, columns = null, canAsk = false, call } = output;
  const terminal = { isTerminal, hasColours, columns, canAsk };
  const confirmed: Question[] = [];
  for (;;) {
    const ending = await runOnce(server, token, { args, call, terminal, confirmed }, output);
    if (typeof ending === 'number') return ending;
    if (!(await output.confirm(ending.question))) throw new RefusedError('Nothing was changed.');
    confirmed.push(ending);
  }
}

/**
 * Sends the command once.
 *
 * @returns the exit code, or a question that the person has to answer first
 */
async function runOnce(
  server: RemoteServer,
  token: string,
  command: RemoteCommand,
  output: ProcessOutput,
): Promise<ExitCode | Question> {
  let exitCode: ExitCode = ExitCode.failed;
  try {
    for await (const line of server.run(token, command)) {
      if ('ask' in line) return line.ask;
      if ('out' in line) await output.textTaken(line.out);
      else if ('say' in line) output.say(line.say);
      else ({ exitCode } = line);
    }
    return exitCode;
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 401) throw error;
    throw new RefusedError(`${error.message} ${signInNeeded(server)}`);
  }
}

function signInNeeded({ origin }: RemoteServer): string {
  return `Run "petstore login ${origin}" first.`;
}
