import type { Command } from 'commander';
import { type AdminRecords, changeScope } from '../../../platform/features/admin-records';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { RefusedError, UsageError } from '../../../platform/cli/command-error';
import { readId } from '../../../platform/cli/option-values';
import { offerRemotely } from '../../../platform/cli/remote-access';
import { actionsOffered } from '../record-actions';
import { fieldsOf, type RecordField } from '../record-fields';
import { readCreation, readPatch } from '../record-values';
import type { StoredRecord } from '../stored-record';
import { exampleOption, fieldTexts, flagOf, type OptionValues, valueOption } from './field-options';
import { readVersion, recordJson, recordTable } from './record-view';
import { withRecords } from './with-records';

interface ChangeOptions extends OptionValues {
  readonly ifVersion?: string;
  readonly yes?: true;
  readonly json?: true;
}

const IF_VERSION = [
  '--if-version <version>',
  'only if it still has this version, shown by get',
  readVersion,
] as const;

/** `petstore <kind> create` */
export function addCreateCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name, one, creation = Object } = recordType;
  const fields = fieldsOf(creation);
  const command = offerRemotely(group.command('create'), changeScope(recordType)).description(
    `add one ${one}`,
  );
  for (const field of fields) {
    command.addOption(valueOption(field).makeOptionMandatory(!field.isOptional));
  }
  command
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExample:\n  petstore ${name} create ${exampleOf(fields)}`)
    .action(async (options: ChangeOptions) => {
      const record = await withRecords(cli, async (records) => {
        const values = readCreation(creation, fieldTexts(fields, options));
        const { id } = await records.create(recordType, values);
        return records.get(recordType, id);
      });
      show(cli, record, options);
      cli.output.message(`The ${one} ${record.values.id} was added.`);
    });
}

/** `petstore <kind> update` */
export function addRecordUpdateCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name, one, patch = Object } = recordType;
  const fields = fieldsOf(patch);
  const command = offerRemotely(group.command('update'), changeScope(recordType))
    .description(`update one ${one}; fields without an option stay as they are`)
    .argument('<id>', `id of the ${one}`, readId);
  for (const field of fields) command.addOption(valueOption(field));
  command
    .option(...IF_VERSION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nAn empty value clears an optional field; a required text becomes the empty text.\n\nExamples:\n  petstore ${name} update 1 ${exampleOf(fields.slice(0, 1))}`,
    )
    .action(async (id: bigint, options: ChangeOptions) => {
      const texts = fieldTexts(fields, options);
      if (Object.keys(texts).length === 0) {
        throw new UsageError(`Say what to change: ${fields.map((field) => flagOf(field.name)).join(', ')}.`);
      }
      const record = await withRecords(cli, async (records) => {
        await records.update(recordType, id, readPatch(patch, texts), options.ifVersion);
        return records.get(recordType, id);
      });
      show(cli, record, options);
      cli.output.message(`The ${one} ${id} was changed.`);
    });
}

/** `petstore <kind> remove` */
export function addRemoveCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name, one } = recordType;
  const isForGood = !actionsOffered(recordType).restore;
  offerRemotely(group.command('remove'), changeScope(recordType))
    .description(`remove one ${one}${isForGood ? ' for good' : '; it can be restored'}`)
    .argument('<id>', `id of the ${one}`, readId)
    .option(...IF_VERSION)
    .option('--yes', `do not ask for confirmation${isForGood ? '; needed without a terminal' : ''}`)
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExamples:\n  petstore ${name} remove 1\n  petstore ${name} remove 1 --yes`)
    .action(async (id: bigint, { ifVersion, yes, json }: ChangeOptions) => {
      const { canAsk } = cli.output;
      if (isForGood && !yes && !canAsk) {
        throw new UsageError(`A removed ${one} cannot be restored: confirm it with --yes.`);
      }
      await withRecords(cli, async (records) => {
        const { version } = await records.get(recordType, id);
        const isAsked = !yes && canAsk;
        if (isAsked && !(await cli.output.confirm(`Remove the ${one} ${id}?`, version))) {
          throw new RefusedError('Nothing was changed.');
        }
        // The person confirmed the removal of the version that was read. A newer one must not be removed.
        await records.remove(recordType, id, ifVersion ?? (isAsked ? version : undefined));
      });
      if (json) cli.output.json({ removed: id });
      cli.output.message(`The ${one} ${id} was removed.`);
    });
}

/** `petstore <kind> restore` */
export function addRestoreCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name, one } = recordType;
  offerRemotely(group.command('restore'), changeScope(recordType))
    .description(`restore a removed ${one}`)
    .argument('<id>', `id of the ${one}`, readId)
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExample:\n  petstore ${name} restore 1`)
    .action(async (id: bigint, options: ChangeOptions) => {
      const record = await withRecords(cli, async (records) => {
        await records.restore(recordType, id);
        return records.get(recordType, id);
      });
      show(cli, record, options);
      cli.output.message(`The ${one} ${id} is back.`);
    });
}

function show(cli: Cli, record: StoredRecord, { json }: ChangeOptions): void {
  if (json) cli.output.json(recordJson(record));
  else cli.output.table(recordTable(record));
}

/** Writes options with the documented examples of these fields. */
function exampleOf(fields: readonly RecordField[]): string {
  return fields.map(exampleOption).join(' ');
}
