import type { Command } from 'commander';
import { petstore } from '../config/called-as';
import { type Cli, type CommandGroup, JSON_OPTION } from './cli';
import { redactedSettings } from '../config/load-settings';
import { listOf } from '../health/check';
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
    .addHelpText('after', `\nExamples:\n  ${petstore()} config check\n  ${petstore()} config print --json`);

  config
    .command('check')
    .description('check the settings, list every fault and warn of what is probably not meant')
    .addHelpText('after', `\nExample:\n  PORT=80x ${petstore()} config check`)
    .action(async () => {
      const settings = cli.loadSettings(await features());
      const { SETTINGS_CHECK } = await import('../config/settings.check.js');
      const doubts = listOf(await SETTINGS_CHECK.check({ settings })).filter(({ status }) => status !== 'ok');
      for (const { reason, advice } of doubts) cli.output.message(`Warning: ${reason} ${advice}`);
      cli.output.message(
        doubts.length === 0 ? 'The settings are valid.' : 'The values of the settings are valid.',
      );
    });

  config
    .command('print')
    .description('print every setting with its source; secrets are redacted')
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExamples:\n  ${petstore()} config print\n  ${petstore()} config print --json`)
    .action(async ({ json }: { json?: true }) => {
      const settings = redactedSettings(cli.loadSettings(await features()));
      if (json) return cli.output.json(settings);
      cli.output.table({
        header: ['NAME', 'VALUE', 'SOURCE'],
        whole: ['VALUE'],
        wrapped: 'VALUE',
        rows: settings.map(({ name, value, source }) => [name, value === '' ? '-' : value, source]),
      });
    });
}
