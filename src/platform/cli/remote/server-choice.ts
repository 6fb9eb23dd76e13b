import type { CommandLineEnvironment } from '../../config/command-line-environment';

/** Machine that a command is to run on. */
export interface ServerChoice {
  /** Address of a server's console; undefined when the command runs here. */
  readonly server: string | undefined;
  /** The arguments without the server, unless the program here reads it. */
  readonly args: readonly string[];
}

const OPTION = '--server';

/** Commands that are about this machine and this person, whatever server is chosen. */
const LOCAL = new Set(['login', 'logout', 'help']);

/**
 * Reads the machine that a command is to run on: `--server` may stand anywhere among the arguments. An option without an
 * address is left to the program, which reports the fault.
 */
export function readChoice(
  args: readonly string[],
  { server }: Pick<CommandLineEnvironment, 'server'>,
): ServerChoice {
  const end = args.indexOf('--');
  const at = args.findIndex(
    (arg, i) => (end < 0 || i < end) && (arg === OPTION || arg.startsWith(`${OPTION}=`)),
  );
  const isJoined = at >= 0 && args[at] !== OPTION;
  const address = isJoined ? args[at]?.slice(OPTION.length + 1) : args[at + 1];
  if (at >= 0 && !address) return { server: undefined, args: [OPTION] };
  const rest = at < 0 ? args : args.toSpliced(at, isJoined ? 1 : 2);
  const chosen = at < 0 ? server : address;
  const [command = '-'] = rest;
  // Without a command there is nothing to run: the program here has the help.
  if (command.startsWith('-') || LOCAL.has(command)) {
    return { server: undefined, args: at < 0 || !address ? rest : [OPTION, address, ...rest] };
  }
  return { server: chosen, args: rest };
}
