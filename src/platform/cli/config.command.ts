import type { Command } from 'commander';
import { type Cli, type CommandGroup, JSON_OPTION } from './cli';
import { redactedSettings } from '../config/load-settings';
import type { FeatureSettings } from '../config/setting';

/**
 * `petstore config`: shows and checks the settings; opens nothing.
 *
 * @param features returns the settings that features declare
 */
export function configCommands(features: () => Promise<readonly FeatureSettings[]>): CommandGroup {
  return (program, cli) => addConfigCommands(program, cli, features);
}

function addConfigCommands(
  program: Command,
  cli: Cli,
  features: () => Promise<readonly FeatureSettings[]>,
): void {
  const config = program
    .command('config')
    .description('check and print the settings')
    .addHelpText('after', '\nExamples:\n  petstore config check\n  petstore config print --json');

  config
    .command('check')
    .description('check the settings and list every fault')
    .addHelpText('after', '\nExample:\n  PORT=80x petstore config check')
    .action(async () => {
      cli.loadSettings(await features());
      cli.output.message('The settings are valid.');
    });

  config
    .command('print')
    .description('print every setting with its source; secrets are redacted')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExamples:\n  petstore config print\n  petstore config print --json')
    .action(async ({ json }: { json?: true }) => {
      const settings = redactedSettings(cli.loadSettings(await features()));
      if (json) return cli.output.json(settings);
      cli.output.table({
        header: ['NAME', 'VALUE', 'SOURCE'],
        rows: settings.map(({ name, value, source }) => [name, value === '' ? '-' : value, source]),
      });
    });
}
