import { Command, CommanderError, type Option } from 'commander';
import { buildName } from '../config/package-version';
import { type Cli, type CommandGroup, FORM_OPTION } from './cli';
import { petstore } from '../config/called-as';
import { ExitCode, exitCodeOf, explainFault } from './command-error';

const HELP = `
Settings come from the environment and from the file .env in the working directory. NO_COLOR and FORCE_COLOR switch colours off and on.
Data goes to standard output, messages to standard error.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 refused, 5 try again later.`;

/** Width of help when the width of the terminal is not known. */
const HELP_WIDTH = 80;

/**
 * Builds the program with every command, its options and help.
 *
 * Commander is used as it is rather than through Nest: a Nest application is built, with its database, before it could read the
 * arguments, so that neither `--help` nor `config check` would work without a database.
 */
export function createProgram(groups: readonly CommandGroup[], cli: Cli): Command {
  const program = new Command(petstore())
    .description('Administer the petstore service.')
    .version(buildName(), '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help')
    .addHelpText('after', HELP)
    // Otherwise an option of the program, such as --version, would be taken out of a command's own arguments.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => cli.output.text(text),
      writeErr: (text) => cli.output.message(text.replace(/\n$/, '')),
      getOutHelpWidth: () => cli.output.columns ?? HELP_WIDTH,
      getErrHelpWidth: () => cli.output.columns ?? HELP_WIDTH,
    })
    .showHelpAfterError('(--help explains the command)')
    .exitOverride();
  for (const addCommands of groups) addCommands(program, cli);
  for (const command of commandsBelow(program)) {
    suggestOtherNames(command);
    applyForm(command, cli);
  }
  return nameAllMissingOptions(program);
}

/** Words that other tools use for one action; each leads to the word of its line that is a command here. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['get', 'show', 'view', 'describe'],
  ['list', 'ls'],
  ['create', 'add', 'new'],
  ['update', 'edit', 'set', 'change'],
  ['remove', 'delete', 'rm', 'revoke'],
];

/** Suggests a command of the same meaning for an unknown one; commander itself suggests similar spellings. */
function suggestOtherNames(group: Command): void {
  group.configureOutput({
    outputError: (text, write) => {
      const [, given = ''] = /^error: unknown command '([^']*)'$/.exec(text.trimEnd()) ?? [];
      const words = SYNONYMS.find((line) => line.includes(given)) ?? [];
      const meant = group.commands.find((command) => words.includes(command.name()));
      write(meant ? `${text.trimEnd()}\n(Did you mean ${meant.name()}?)\n` : text);
    },
  });
}

/** Applies the form in which a person wants to see a list. */
function applyForm(command: Command, { output }: Cli): void {
  if (!command.options.some(({ flags }) => flags === FORM_OPTION[0])) return;
  command.hook('preAction', (_command, called) => {
    const form: unknown = called.getOptionValue('o');
    if (typeof form !== 'string') return;
    if (form === 'json') called.setOptionValue('json', true);
    else output.tableForm = form === 'wide' ? form : form.split(',');
  });
}

/** Names all missing options of a command at once; commander itself names only the first. */
function nameAllMissingOptions(program: Command): Command {
  const required = new Set<Option>();
  for (const { options } of commandsBelow(program)) {
    for (const option of options.filter(({ mandatory }) => mandatory))
      required.add(option.makeOptionMandatory(false));
  }
  return program.hook('preAction', (_program, command) => {
    const missing = command.options.filter(
      (option) => required.has(option) && command.getOptionValue(option.attributeName()) === undefined,
    );
    if (missing.length === 0) return;
    const flags = missing.map((option) => `'${option.flags}'`).join(', ');
    command.error(`error: required option${missing.length === 1 ? '' : 's'} ${flags} not specified`);
  });
}

function commandsBelow(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...commandsBelow(child)]);
}

/**
 * Runs the command that the arguments name.
 *
 * @param args without the program's own name
 * @returns the exit code; nothing is thrown
 */
export async function runProgram(
  groups: readonly CommandGroup[],
  cli: Cli,
  args: readonly string[],
): Promise<ExitCode> {
  try {
    const program = createProgram(groups, cli).hook('preAction', (_program, command) => {
      cli.output.commandName = wordsOf(command);
    });
    await program.parseAsync(args, { from: 'user' });
    cli.output.nameDatabase();
    return ExitCode.done;
  } catch (error) {
    // Commander has written its message already: the help that was asked for, or the fault.
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
    cli.output.message(explainFault(error));
    if (cli.output.terminal) cli.output.nameDatabase();
    return exitCodeOf(error);
  }
}

/** Returns the words that name a command: `keys list`. */
function wordsOf(command: Command): string {
  return command.parent?.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();
}
