import type { Command } from 'commander';
import type { AdminRecords } from '../../../platform/features/admin-records';
import type { Cli, CommandGroup } from '../../../platform/cli/cli';
import { type Features, recordsOf } from '../../../platform/features/feature-modules';
import { actionsOffered } from '../record-actions';
import { refuseReservedNames } from '../reserved-names';
import { addActionCommands } from './action-commands';
import { addUpdateAllCommand } from './bulk-command';
import {
  addCreateCommand,
  addRemoveCommand,
  addRestoreCommand,
  addRecordUpdateCommand,
} from './change-commands';
import { addExportCommand } from './export-command';
import { addImportCommand } from './import-command';
import { addGetCommand, addHistoryCommand, addListCommand } from './list-commands';
import { addUndoCommand } from './undo-command';

/**
 * Creates a group of commands for each record type that a feature offers: `petstore pets`. The commands follow from the
 * descriptor and from the DTOs, which are known without a database. They work beside a running server. If the service would
 * refuse to start with these features, no command runs.
 */
export function recordCommands(features: Features): CommandGroup {
  return (program, cli) => {
    const kinds = recordsOf(features);
    refuseReservedNames(kinds);
    for (const kind of kinds) addKindCommands(program, kind, cli);
  };
}

function addKindCommands(program: Command, kind: AdminRecords, cli: Cli): void {
  const { name } = kind;
  const offered = actionsOffered(kind);
  const group = program
    .command(name)
    .description(`find, show and change ${name}`)
    .addHelpText('after', `\nExamples:\n  petstore ${name} list --limit 20\n  petstore ${name} get 1 --json`);
  addListCommand(group, kind, cli);
  addGetCommand(group, kind, cli);
  addHistoryCommand(group, kind, cli);
  addExportCommand(group, kind, cli);
  if (offered.create) addImportCommand(group, kind, cli);
  if (offered.create) addCreateCommand(group, kind, cli);
  if (offered.update) addRecordUpdateCommand(group, kind, cli);
  if (offered.update) addUpdateAllCommand(group, kind, cli);
  if (offered.remove) addRemoveCommand(group, kind, cli);
  if (offered.restore) addRestoreCommand(group, kind, cli);
  addActionCommands(group, kind, cli);
  if (offered.update || offered.remove) addUndoCommand(group, kind, cli);
}
