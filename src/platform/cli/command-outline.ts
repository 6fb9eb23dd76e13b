import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { petstore } from '../config/called-as';
import type { CommandGroup } from './cli';

/** File of the build with the outlines of all commands. */
export const OUTLINE_FILE = join(__dirname, '..', '..', '..', 'commands.json');

/** Stands in the file for the call of the program, which the build does not know; no text has this character. */
export const CALL_TO_COME = '\0';

/** A command as help shows it, without its work. */
export interface CommandOutline {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly WordOutline[];
  readonly options: readonly WordOutline[];
  /** Text below the help. */
  readonly help: string;
  readonly commands: readonly CommandOutline[];
}

/** An option by its flags, or an argument by its name in brackets. */
export interface WordOutline {
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[] | undefined;
  /** Default in the words of the help. */
  readonly defaultText?: string | undefined;
}

/** Reads the outlines that the build has written; undefined without a build, as under `npm run start:dev`. */
export function readOutlines(): CommandOutline[] | undefined {
  if (!existsSync(OUTLINE_FILE)) return undefined;
  const withCall = (_name: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(CALL_TO_COME, petstore()) : value;
  return JSON.parse(readFileSync(OUTLINE_FILE, 'utf8'), withCall) as CommandOutline[];
}

/** Returns the outlines of the commands of a program. */
export function outlinesOf(program: Command): CommandOutline[] {
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => outlineOf(argument, flagsOf(argument))),
    options: command.options.map((option) => outlineOf(option, option.flags)),
    help: helpBelow(command),
    commands: outlinesOf(command),
  }));
}

function flagsOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function outlineOf(
  { description, argChoices, defaultValue, defaultValueDescription }: Argument | Option,
  flags: string,
): WordOutline {
  const defaultText =
    defaultValueDescription ?? (defaultValue === undefined ? undefined : JSON.stringify(defaultValue));
  return { flags, description, choices: argChoices, defaultText };
}

/** Text that `addHelpText('after')` has added, without its last line break. The command writes to nothing else from then on. */
function helpBelow(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text.slice(command.helpInformation().length).replace(/\n$/, '');
}

/**
 * Adds outlined commands to a program.
 *
 * @param run called when one of them is to work
 */
export function outlinedCommands(
  outlines: readonly CommandOutline[],
  run: () => Promise<void>,
): CommandGroup {
  return (program) => {
    for (const outline of outlines) addOutlined(program, outline, run);
  };
}

function addOutlined(parent: Command, outline: CommandOutline, run: () => Promise<void>): void {
  const command = parent.command(outline.name).description(outline.description);
  for (const argument of outline.arguments) {
    command.addArgument(asOutlined(new Argument(argument.flags, argument.description), argument));
  }
  for (const option of outline.options) {
    command.addOption(asOutlined(new Option(option.flags, option.description), option));
  }
  if (outline.help !== '') command.addHelpText('after', outline.help);
  for (const child of outline.commands) addOutlined(command, child, run);
  if (outline.commands.length === 0) command.action(run);
}

/** Gives an option or an argument the choices and the default of its outline. */
function asOutlined<Word extends Argument | Option>(word: Word, { choices, defaultText }: WordOutline): Word {
  if (choices) word.choices(choices);
  if (defaultText !== undefined) word.default(defaultText, defaultText);
  return word;
}
