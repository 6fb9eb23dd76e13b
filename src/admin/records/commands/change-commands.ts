import type { Command } from 'commander';
import { petstore } from '../../../platform/config/called-as';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { RefusedError, UsageError } from '../../../platform/cli/command-error';
import { readId, readIds } from '../../../platform/cli/option-values';
import { actionsOffered } from '../record-actions';
import { RecordActionsService, REMOVE } from '../record-actions.service';
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
  'only if the record still has this version, printed by show',
  readVersion,
] as const;

/** `petstore <kind> create` */
export function addCreateCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name, one, creation = Object } = recordType;
  const fields = fieldsOf(creation);
  const command = group.command('create').description(`add one ${one}`);
  for (const field of fields) {
    command.addOption(valueOption(field).makeOptionMandatory(!field.isOptional));
  }
  command
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExample:\n  ${petstore()} ${name} create ${exampleOf(fields)}`)
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
  const command = group
    .command('update')
    .description(`update one ${one}; fields without an option keep their values`)
    .argument('<id>', `id of the ${one}`, readId);
  for (const field of fields) command.addOption(valueOption(field));
  command
    .option(...IF_VERSION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nAn empty value clears an optional field; a required text becomes the empty text.\n\nExamples:\n  ${petstore()} ${name} update 1 ${exampleOf(fields.slice(0, 1))}`,
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
  group
    .command('remove')
    .description(`remove ${name}${isForGood ? ' for good' : ', which can be restored'}: all of them or none`)
    .argument('<ids...>', `ids of ${name}`, readIds)
    .option(...IF_VERSION)
    .option('--yes', `do not ask for confirmation${isForGood ? '; needed without a terminal' : ''}`)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} ${name} remove 1\n  ${petstore()} ${name} remove 1 2 3 --yes`,
    )
    .action(async (ids: bigint[], { ifVersion, yes, json }: ChangeOptions) => {
      const { canAsk } = cli.output;
      if (isForGood && !yes && !canAsk) {
        throw new UsageError(`A removed ${one} cannot be restored. Confirm with --yes.`);
      }
      const [id] = ids;
      if (id === undefined || ids.length > 1) {
        if (ifVersion !== undefined) throw new UsageError(`--if-version is for one ${one}.`);
        return removeMany(recordType, cli, ids, { yes, json });
      }
      await withRecords(cli, async (records) => {
        const { version } = await records.get(recordType, id);
        const isAsked = !yes && canAsk;
        if (isAsked && !(await cli.output.confirm(`Remove the ${one} ${id}?`))) {
          throw new RefusedError('Nothing was changed.');
        }
        // The person confirmed the removal of the version that was read. A newer one must not be removed.
        await records.remove(recordType, id, ifVersion ?? (isAsked ? version : undefined));
      });
      if (json) cli.output.json({ removed: id });
      cli.output.message(`The ${one} ${id} was removed.`);
    });
}

async function removeMany(
  recordType: AdminRecords,
  cli: Cli,
  ids: readonly bigint[],
  { yes, json }: Pick<ChangeOptions, 'yes' | 'json'>,
): Promise<void> {
  const { name } = recordType;
  const said = `${ids.length.toLocaleString('en')} ${name}`;
  const { canAsk } = cli.output;
  const { change, isUndoable } = await withRecords(cli, async (records, app) => {
    const isAsked = !yes && canAsk;
    const found = isAsked ? await records.search(recordType, { filter: { ids }, limit: ids.length }) : [];
    if (isAsked && !(await cli.output.confirm(`Remove ${said}?`)))
      throw new RefusedError('Nothing was changed.');
    // The person confirmed the removal of the versions that were read.
    const versions = new Map(found.map(({ values, version }) => [values.id, version]));
    const targets = ids.map((id) => ({ id, version: versions.get(id) }));
    const actions = app.get(RecordActionsService, { strict: false });
    const { change: made } = await actions.run(recordType, REMOVE, targets);
    return { change: made, isUndoable: records.actionsOf(recordType).restore };
  });
  if (json) cli.output.json({ removed: ids, change });
  cli.output.message(`${said} were removed.`);
  if (isUndoable) cli.output.message(`To undo: ${petstore()} ${name} undo ${change}`);
}

/** `petstore <kind> restore` */
export function addRestoreCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name, one } = recordType;
  group
    .command('restore')
    .description(`restore a removed ${one}`)
    .argument('<id>', `id of the ${one}`, readId)
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExample:\n  ${petstore()} ${name} restore 1`)
    .action(async (id: bigint, options: ChangeOptions) => {
      const record = await withRecords(cli, async (records) => {
        await records.restore(recordType, id);
        return records.get(recordType, id);
      });
      show(cli, record, options);
      cli.output.message(`The ${one} ${id} was restored.`);
    });
}

function show(cli: Cli, record: StoredRecord, { json }: ChangeOptions): void {
  if (json) cli.output.json(recordJson(record));
  else cli.output.table(recordTable(record));
}

/** Writes options with the documented examples of these fields. */
function exampleOf(fields: readonly RecordField[]): string {
  return fields.map((field) => exampleOption(field)).join(' ');
}
