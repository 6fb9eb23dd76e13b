import type { Command } from 'commander';
import { commandGroups } from '../../../src/create-cli';
import type { Cli } from '../../../src/platform/cli/cli';
import { createProgram } from '../../../src/platform/cli/program';

/** A command that does something, and the words that name it: `keys list`. */
export interface Leaf {
  readonly path: string;
  readonly command: Command;
}

/** The real program; none of its commands does anything, and nothing is written. */
export async function inertProgram(): Promise<Command> {
  const nothing = { output: {} } as Cli;
  const program = createProgram(await commandGroups(), nothing);
  const quiet = { writeOut: () => undefined, writeErr: () => undefined };
  for (const command of [program, ...everyCommand(program)]) command.configureOutput(quiet);
  for (const { command } of leavesOf(program)) command.action(() => undefined);
  return program;
}

/** The commands without commands of their own. */
export function leavesOf(program: Command): Leaf[] {
  return everyCommand(program)
    .filter(({ commands }) => commands.length === 0)
    .map((command) => ({ path: pathOf(command), command }));
}

/** Every command below one. */
export function everyCommand(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...everyCommand(child)]);
}

/** The help of a command, as `--help` prints it. */
export function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

/** The examples in a command's help, without the `petstore` and the settings before it and what is piped after it. */
export function examplesOf({ command }: Leaf): string[][] {
  const [, list = ''] = helpOf(command).split(/\nExamples?:\n/);
  const lines = list.split('\n').filter((line) => line.startsWith('  '));
  return lines.map((line) => {
    const [, words = ''] = /^ {2}(?:[A-Z_]+=\S+ )*petstore (.*)$/.exec(line) ?? [];
    if (words === '') throw new Error(`This is no example of petstore: ${line}`);
    const before = words.split(/ (?:\||>|<) /, 1)[0] as string;
    return [...before.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  });
}

function pathOf(command: Command): string {
  return command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
