import type { Command } from 'commander';
import { petstore } from '../../../platform/config/called-as';
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
import { addShowCommand, addHistoryCommand, addListCommand } from './list-commands';
import { addUndoCommand } from './undo-command';
import { addUndoImportCommand } from './undo-import-command';

/**
 * Creates a group of commands for each record type that a feature offers: `petstore pets`. The commands follow from the
 * descriptor and from the DTOs, which are known without a database. They work beside a running server. If the service would
 * refuse to start with these features, no command runs.
 */
export function recordCommands(features: Features): CommandGroup {
  return (program, cli) => {
    const recordTypes = recordsOf(features);
    refuseReservedNames(recordTypes);
    for (const recordType of recordTypes) addKindCommands(program, recordType, cli);
  };
}

function addKindCommands(program: Command, recordType: AdminRecords, cli: Cli): void {
  const { name } = recordType;
  const offered = actionsOffered(recordType);
  const group = program
    .command(name)
    .description(`find, show and change ${name}`)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} ${name} list --limit 20\n  ${petstore()} ${name} show 1 --json`,
    );
  addListCommand(group, recordType, cli);
  addShowCommand(group, recordType, cli);
  addHistoryCommand(group, recordType, cli);
  addExportCommand(group, recordType, cli);
  if (offered.create) addImportCommand(group, recordType, cli);
  if (offered.create) addCreateCommand(group, recordType, cli);
  if (offered.update) addRecordUpdateCommand(group, recordType, cli);
  if (offered.update) addUpdateAllCommand(group, recordType, cli);
  if (offered.remove) addRemoveCommand(group, recordType, cli);
  if (offered.restore) addRestoreCommand(group, recordType, cli);
  addActionCommands(group, recordType, cli);
  if (offered.update || offered.remove) addUndoCommand(group, recordType, cli);
  if (offered.create && offered.remove) addUndoImportCommand(group, recordType, cli);
}
