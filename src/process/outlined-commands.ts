import type { Cli } from '../platform/cli/cli';
import { type CommandOutline, outlinedCommands, readOutlines } from '../platform/cli/command-outline';
import type { ExitCode } from '../platform/cli/command-error';
import { runProgram } from '../platform/cli/program';

/**
 * Responds to a command line that asks for help or an unknown command from the outlines that the build has written:
 * to load every command takes five times as long. All others are run as they are, and all where there are no outlines, as under
 * `npm run start:dev`.
 *
 * @param run carries out the command
 */
export async function runOutlined(
  cli: Cli,
  args: readonly string[],
  run: () => Promise<ExitCode>,
): Promise<ExitCode> {
  const outlines = readOutlines();
  if (!outlines || !needsOutlineOnly(args, outlines)) return run();
  let code: ExitCode | undefined;
  // A text such as `--name --help` looks like help and is none: then the command is reached.
  const commands = outlinedCommands(outlines, async () => {
    code = await run();
  });
  const outlineCode = await runProgram([commands], cli, args);
  return code ?? outlineCode;
}

function needsOutlineOnly(args: readonly string[], outlines: readonly CommandOutline[]): boolean {
  if (args.some((arg) => arg === '--help' || arg === '-h')) return true;
  let commands = outlines;
  for (const word of args) {
    const command = commands.find(({ name }) => name === word);
    // An unknown word, whose fault names the commands that there are.
    if (!command) return true;
    commands = command.commands;
    if (commands.length === 0) return false;
  }
  return true;
}
