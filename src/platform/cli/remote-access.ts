import type { Argument, Command, Option } from 'commander';

/** Scopes of commands, kept here because commander has no place for them. */
const scopes = new WeakMap<Command, string>();

/**
 * Offers a command to people at other machines: anyone who has the scope, besides `admin:read`, may run it on a server. A
 * command that is not offered runs on the machine of the service only.
 *
 * Its work is done within `withApp`, and it reads no file of the machine.
 */
export function offerRemotely(command: Command, scope: string): Command {
  scopes.set(command, scope);
  return command;
}

/** Returns the scope that a command needs to run on a server; undefined when it is not offered there. */
export function remoteScopeOf(command: Command): string | undefined {
  return scopes.get(command);
}

/** Tells whether the value of an option or of an argument is the name of a file. */
export function namesFile(part: Option | Argument): boolean {
  return 'flags' in part ? /file[>\]]/.test(part.flags) : part.name().endsWith('file');
}
