import type { Command } from 'commander';
import { petstore } from '../../platform/config/called-as';
import { type Cli, JSON_OPTION } from '../../platform/cli/cli';
import { readText } from '../../platform/cli/option-values';
import { describeLocation } from '../../platform/database/driver/database-url';
import { REFRESH_INTERVAL_MS } from '../../platform/read-only/read-only-mode';
import { ReadOnlyService, type ReadOnlyView } from './read-only.service';

interface JsonOption {
  readonly json?: true;
}

const SECONDS = REFRESH_INTERVAL_MS / 1_000;

/** `petstore read-only`: lets all nodes refuse writes, and take them again. */
export function addReadOnlyCommands(program: Command, cli: Cli): void {
  const readOnly = program
    .command('read-only')
    .description('make all nodes refuse writes; reads continue')
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} read-only on --reason "restore"\n  ${petstore()} read-only off`,
    );

  const location = () => cli.output.naming(describeLocation(cli.loadSettings().databaseUrl));
  const show = (view: ReadOnlyView, { json }: JsonOption) => {
    if (json) return cli.output.json(view);
    cli.output.table({
      header: ['READ-ONLY', 'SINCE', 'BY', 'REASON'],
      rows: [[view.isOn ? 'on' : 'off', view.since ?? '', view.actor ?? '', view.reason ?? '']],
    });
  };

  readOnly
    .command('on')
    .description('switch read-only mode on')
    .option('--reason <text>', 'reason shown to operators, not to clients', readText)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} read-only on --reason "restore of 14:03"\n  ${petstore()} read-only on --json`,
    )
    .action(async ({ reason = null, ...options }: JsonOption & { reason?: string | null }) => {
      show(await cli.withApp((app) => app.get(ReadOnlyService).switchOn(reason)), options);
      cli.output.message(
        `Within ${SECONDS} seconds, every node on the database ${location()} refuses writes.`,
      );
    });

  readOnly
    .command('off')
    .description('switch read-only mode off')
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExamples:\n  ${petstore()} read-only off\n  ${petstore()} read-only off --json`)
    .action(async (options: JsonOption) => {
      show(await cli.withApp((app) => app.get(ReadOnlyService).switchOff()), options);
      cli.output.message(
        `Within ${SECONDS} seconds, every node on the database ${location()} accepts writes.`,
      );
    });

  readOnly
    .command('status')
    .description('show whether read-only mode is on, since when, by whom and why')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} read-only status\n  ${petstore()} read-only status --json`,
    )
    .action(async (options: JsonOption) => {
      show(await cli.withApp((app) => app.get(ReadOnlyService).view()), options);
    });
}
