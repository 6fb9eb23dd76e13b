import type { Argument, Command, Option } from 'commander';
import { namesFile } from '../remote-access';

/** What may follow: nothing the shell knows, a file, or one of some words. */
export type Following = 'text' | 'file' | readonly string[];

/** A word that can be completed, and what it is. */
export interface CompletedWord {
  readonly word: string;
  readonly description: string;
}

/** What can follow the words of a command. */
export interface CompletedCommand {
  /** The words that name it, `keys list`; empty for the program. */
  readonly path: string;
  readonly commands: readonly CompletedWord[];
  readonly options: readonly CompletedOption[];
  /** What its arguments are; they come one after the other, and where they differ nothing is known. */
  readonly argument: Following;
}

export interface CompletedOption extends CompletedWord {
  /** Its value; undefined when it has none. */
  readonly value: Following | undefined;
}

/** Everything a shell needs to know of a program, command by command. */
export function completionModel(program: Command): CompletedCommand[] {
  const commandsBelow = (command: Command, path: string): CompletedCommand[] => [
    modelOf(command, path),
    ...command.commands.flatMap((child) =>
      commandsBelow(child, path === '' ? child.name() : `${path} ${child.name()}`),
    ),
  ];
  return commandsBelow(program, '');
}

function modelOf(command: Command, path: string): CompletedCommand {
  const help = command.createHelp();
  return {
    path,
    commands: command.commands.map((child) => ({ word: child.name(), description: child.description() })),
    options: help
      .visibleOptions(command)
      .flatMap((option) =>
        option.long === undefined
          ? []
          : [{ word: option.long, description: option.description, value: valueOf(option) }],
      ),
    argument: argumentOf(command.registeredArguments),
  };
}

function valueOf(option: Option): Following | undefined {
  if (!option.required && !option.optional) return undefined;
  return option.argChoices ?? (namesFile(option) ? 'file' : 'text');
}

function argumentOf(declared: readonly Argument[]): Following {
  const [first] = declared;
  if (first?.argChoices) return first.argChoices;
  return declared.length > 0 && declared.every((argument) => namesFile(argument)) ? 'file' : 'text';
}

/** A text as one word of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
