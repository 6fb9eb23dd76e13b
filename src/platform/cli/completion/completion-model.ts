import type { Argument, Command, Option } from 'commander';
import { namesFile } from '../remote-access';

/** Completions of the next word: nothing that the shell knows, a file, or one of some words. */
export type Following = 'text' | 'file' | readonly string[];

/** A word that can be completed, with its description. */
export interface CompletedWord {
  readonly word: string;
  readonly description: string;
}

/** Completions after the words of a command. */
export interface CompletedCommand {
  /** Words that name the command, `keys list`; empty for the program. */
  readonly path: string;
  readonly commands: readonly CompletedWord[];
  readonly options: readonly CompletedOption[];
  /** Completions of its arguments: the choices of the first if it has any, files if all name files, otherwise `text`. */
  readonly argument: Following;
}

export interface CompletedOption extends CompletedWord {
  /** Completions of its value; undefined for an option without one. */
  readonly value: Following | undefined;
}

/** Returns everything that a shell needs to know of a program, command by command. */
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

/** Quotes a text as one word of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
