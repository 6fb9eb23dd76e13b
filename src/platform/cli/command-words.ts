import type { Command } from 'commander';

/** Returns the words that name a command: `keys list`. */
export function wordsOf(command: Command): string {
  return command.parent?.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();
}
