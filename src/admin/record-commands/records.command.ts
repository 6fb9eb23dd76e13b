import type { Command } from 'commander';
import type { AdminRecords } from '../../platform/admin/admin-records';
import type { Cli } from '../../platform/cli/cli';
import { actionsOffered } from '../records/record-actions';
import { recordKinds } from '../records/record-kinds';
import { addUpdateAllCommand } from './bulk-command';
import { addCreateCommand, addRemoveCommand, addRestoreCommand, addUpdateCommand } from './change-commands';
import { addExportCommand } from './export-command';
import { addImportCommand } from './import-command';
import { addGetCommand, addHistoryCommand, addListCommand } from './list-commands';

/**
 * A group of commands for each kind of record that a feature describes: `petstore pets`. They follow from the descriptor and
 * from the DTOs, which are known without a database. They work beside a running server.
 */
export function addRecordCommands(program: Command, cli: Cli): void {
  for (const kind of recordKinds()) addKindCommands(program, kind, cli);
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
  if (offered.update) addUpdateCommand(group, kind, cli);
  if (offered.update) addUpdateAllCommand(group, kind, cli);
  if (offered.remove) addRemoveCommand(group, kind, cli);
  if (offered.restore) addRestoreCommand(group, kind, cli);
}
