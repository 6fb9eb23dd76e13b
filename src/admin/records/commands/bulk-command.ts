import type { Type } from '@nestjs/common';
import { type Command, InvalidArgumentError } from 'commander';
import { petstore } from '../../../platform/config/called-as';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { RefusedError, UsageError } from '../../../platform/cli/command-error';
import type { MergePatch } from '../../../platform/validation/merge-patch';
import { fieldsOf } from '../record-fields';
import { type FieldTexts, readPatch } from '../record-values';
import { InvalidRecordError } from '../records.errors';
import { BULK_PIECE, BulkChanges, MAX_BULK } from '../bulk-changes.service';
import { exampleOption, fieldTexts, flagOf, type OptionValues, valueOption } from './field-options';
import { addFilterOptions, FILTER_HELP, readListOptions } from './filter-options';
import { leftAloneInWords } from './left-alone-in-words';
import { withRecords } from './with-records';

interface BulkOptions extends OptionValues {
  readonly expect?: number;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** `petstore <kind> update-all` */
export function addUpdateAllCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name, patch = Object } = recordType;
  const fields = fieldsOf(patch);
  const example = fields.slice(-1).map((field) => exampleOption(field, 'set-'))[0];
  const command = addFilterOptions(
    group
      .command('update-all')
      .description(
        `change all ${name} that match the options, at most ${MAX_BULK.toLocaleString('en')}: ${BULK_PIECE} in one transaction`,
      ),
    recordType,
  );
  for (const field of fields) {
    const option = valueOption(field, 'set-');
    option.description = `new value: ${option.description}`;
    command.addOption(option);
  }
  command
    .option(
      '--expect <count>',
      'do not ask for confirmation; refuse unless so many records match',
      readExpected,
    )
    .option('--yes', 'do not ask for confirmation; this or --expect is needed without a terminal')
    .option('--dry-run', 'change nothing, and say how many records would change')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\n${FILTER_HELP} An empty new value clears an optional field.\n\nExamples:\n  ${petstore()} ${name} update-all --to 2026-01-01 ${example}\n  ${petstore()} ${name} update-all --to 2026-01-01 ${example} --expect 12`,
    )
    .action(async (options: BulkOptions) => {
      const { expect, yes, dryRun, json } = options;
      const set = fieldTexts(fields, options, 'set-');
      if (Object.keys(set).length === 0) {
        const flags = fields.map((field) => flagOf(field.name, 'set-'));
        throw new UsageError(`Say what to change: ${flags.join(', ')}.`);
      }
      if (dryRun) {
        readChange(patch, set);
        return sayMatches(cli, recordType, options);
      }
      if (expect === undefined && !yes && !cli.output.canAsk) {
        throw new UsageError('Confirm with --yes, or give the number of records with --expect.');
      }
      const { matched, changed, change, leftAlone, stopped } = await withRecords(
        cli,
        async (records, app) => {
          const { filter } = readListOptions(records, recordType, options);
          const wanted = readChange(patch, set);
          const count = expect ?? (await records.count(recordType, filter, MAX_BULK + 1));
          if (expect === undefined && !yes && count > 0 && count <= MAX_BULK) {
            if (
              !(await cli.output.confirm(
                `${numbered(count, recordType)}. Set ${inWords(set)} on all of them?`,
              ))
            ) {
              throw new RefusedError('Nothing was changed.');
            }
          }
          const bulk = app.get(BulkChanges, { strict: false });
          return { matched: count, ...(await bulk.updateAll(recordType, filter, wanted, count)) };
        },
      );
      if (json)
        cli.output.json({ matched, changed, change: change ?? null, leftAlone, stopped: stopped ?? null });
      cli.output.message(
        `${numbered(matched, recordType)}; ${changed.toLocaleString('en')} ${changed === 1 ? 'was' : 'were'} changed.`,
      );
      const refused = leftAlone.filter(({ because }) => because === 'refused');
      const gone = leftAlone.filter(({ because }) => because !== 'refused').map(({ id }) => id);
      if (gone.length > 0) cli.output.message(`No longer matching, and left alone: ${gone.join(', ')}.`);
      for (const sentence of leftAloneInWords('changed', refused)) cli.output.message(sentence);
      if (change !== undefined) cli.output.message(`To undo: ${petstore()} ${name} undo ${change}`);
      if (stopped !== undefined) throw new RefusedError(`The change ended early: ${stopped}`);
      if (refused.length > 0)
        throw new RefusedError(`${refusedInWords(refused.length, recordType)}, and left alone.`);
    });
}

/** Says how many records a bulk change would change. */
async function sayMatches(cli: Cli, recordType: AdminRecords, options: BulkOptions): Promise<void> {
  const matched = await withRecords(cli, (records) => {
    const { filter } = readListOptions(records, recordType, options);
    return records.count(recordType, filter, MAX_BULK + 1);
  });
  if (options.json) cli.output.json({ matched, changed: 0 });
  const most = MAX_BULK.toLocaleString('en');
  const said =
    matched > MAX_BULK
      ? `More than ${most} ${recordType.name} match, which is too many`
      : numbered(matched, recordType);
  cli.output.message(`${said}. Nothing was changed.`);
}

/** @throws UsageError */
function readChange(patch: Type<object>, set: FieldTexts): MergePatch<object> {
  try {
    return readPatch(patch, set);
  } catch (error) {
    if (!(error instanceof InvalidRecordError)) throw error;
    throw new UsageError(
      error.faults.map(({ field, message }) => `${flagOf(field, 'set-')}: ${message}`).join('\n'),
    );
  }
}

function readExpected(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write a whole number.');
}

function numbered(count: number, { name, one }: AdminRecords): string {
  if (count === 1) return `1 ${one} matches`;
  return `${count.toLocaleString('en')} ${name} match`;
}

function refusedInWords(count: number, { name, one }: AdminRecords): string {
  return count === 1 ? `1 ${one} was refused` : `${count.toLocaleString('en')} ${name} were refused`;
}

function inWords(set: FieldTexts): string {
  return Object.entries(set)
    .map(([field, value]) => `${field} to ${value === '' ? 'nothing' : JSON.stringify(value)}`)
    .join(', ');
}
