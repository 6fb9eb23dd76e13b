import type { Command } from 'commander';
import { petstore } from '../../../platform/config/called-as';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { RefusedError, UsageError } from '../../../platform/cli/command-error';
import { readIds } from '../../../platform/cli/option-values';
import type { AdminAction } from '../../../platform/features/admin-action';
import { actionsIn, type AdminRecords } from '../../../platform/features/admin-records';
import { RecordActionsService } from '../record-actions.service';
import { UndoService } from '../undo.service';
import { withRecords } from './with-records';

interface ActionOptions {
  readonly yes?: true;
  readonly json?: true;
}

/** Adds a command for each action of the module, for example `petstore orders cancel`. */
export function addActionCommands(group: Command, recordType: AdminRecords, cli: Cli): void {
  for (const [name, action] of actionsIn(recordType)) addActionCommand(group, recordType, name, action, cli);
}

function addActionCommand(
  group: Command,
  recordType: AdminRecords,
  name: string,
  action: AdminAction,
  cli: Cli,
): void {
  const { title, done, description } = action;
  const words = `${recordType.name} ${commandName(name)}`;
  group
    .command(commandName(name))
    .description(`${title.toLowerCase()} ${recordType.name}, after a confirmation: all of them or none`)
    .argument('<ids...>', `ids of ${recordType.name}`, readIds)
    .option('--yes', 'do not ask for confirmation; needed without a terminal')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${description === undefined ? '' : `\n${description}\n`}\nExamples:\n  ${petstore()} ${words} 1\n  ${petstore()} ${words} 1 2 --yes --json`,
    )
    .action(async (ids: bigint[], { yes, json }: ActionOptions) => {
      const said = ids.length === 1 ? `the ${recordType.one} ${ids[0]}` : `${ids.length} ${recordType.name}`;
      if (!yes && !cli.output.canAsk) throw new UsageError('Confirm with --yes.');
      const question = [description, `${title} ${said}?`].filter(Boolean).join(' ');
      if (!yes && !(await cli.output.confirm(question))) {
        throw new RefusedError('Nothing was changed.');
      }
      const { outcome, isUndoable } = await withRecords(cli, async (_records, app) => ({
        outcome: await app.get(RecordActionsService, { strict: false }).run(
          recordType,
          name,
          ids.map((id) => ({ id })),
        ),
        isUndoable: app
          .get(UndoService, { strict: false })
          .isOffered(recordType, { action: `${recordType.name}.${name}`, subjectType: recordType.name }),
      }));
      const { changed, change } = outcome;
      if (json) cli.output.json({ changed, change });
      cli.output.message(
        `${said.charAt(0).toUpperCase()}${said.slice(1)} ${changed === 1 ? 'was' : 'were'} ${done}.`,
      );
      if (isUndoable) cli.output.message(`To undo: ${petstore()} ${recordType.name} undo ${change}`);
    });
}

/** Converts a name to the form of commands: `markReady` becomes `mark-ready`. */
function commandName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
