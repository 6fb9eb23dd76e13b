import { type Command, InvalidArgumentError } from 'commander';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { RefusedError, UsageError } from '../../../platform/cli/command-error';
import type { MergePatch } from '../../../platform/validation/merge-patch';
import { fieldNamed, fieldsOf } from '../record-fields';
import { type FieldTexts, readPatch } from '../record-values';
import { InvalidRecordError } from '../records.errors';
import { MAX_BULK } from '../records.service';
import type { OptionValues } from './field-options';
import { addFilterOptions, FILTER_HELP, readListOptions } from './filter-options';
import { withRecords } from './with-records';

interface BulkOptions extends OptionValues {
  readonly set: FieldTexts;
  readonly expect?: number;
  readonly yes?: true;
  readonly json?: true;
}

/** `petstore <kind> update-all` */
export function addUpdateAllCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name, patch = Object } = recordType;
  const assignments = fieldsOf(patch).map((field) => `${field.name}=${field.example}`);
  addFilterOptions(
    group
      .command('update-all')
      .description(
        `change all ${name} that match the options, at most ${MAX_BULK.toLocaleString('en')}: all or none`,
      ),
    recordType,
  )
    .requiredOption(
      '--set <field=value>',
      'new value of a field; may be repeated; an empty value clears an optional field',
      readAssignment,
    )
    .option(
      '--expect <count>',
      'do not ask for confirmation; refuse unless this number matches',
      readExpected,
    )
    .option('--yes', 'do not ask for confirmation; this or --expect is needed without a terminal')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\n${FILTER_HELP}\n\nExamples:\n  petstore ${name} update-all --to 2026-01-01 --set '${assignments.at(-1)}'\n  petstore ${name} update-all --to 2026-01-01 --set '${assignments.at(-1)}' --expect 12`,
    )
    .action(async (options: BulkOptions) => {
      const { set, expect, yes, json } = options;
      if (expect === undefined && !yes && !cli.output.canAsk) {
        throw new UsageError(
          'Give the number of records to change with --expect, or confirm the change with --yes.',
        );
      }
      const { matched, changed, change } = await withRecords(cli, async (records) => {
        const { filter } = readListOptions(records, recordType, options);
        const wanted = readChange(recordType, set);
        const count = expect ?? (await records.count(recordType, filter, MAX_BULK + 1));
        if (expect === undefined && !yes && count > 0 && count <= MAX_BULK) {
          if (
            !(await cli.output.confirm(`${numbered(count, recordType)}. Set ${inWords(set)} on all of them?`))
          ) {
            throw new RefusedError('Nothing was changed.');
          }
        }
        return { matched: count, ...(await records.updateAll(recordType, filter, wanted, count)) };
      });
      if (json) cli.output.json({ matched, changed, change: change ?? null });
      cli.output.message(
        `${numbered(matched, recordType)}; ${changed.toLocaleString('en')} ${changed === 1 ? 'was' : 'were'} changed.`,
      );
      if (change !== undefined) cli.output.message(`To undo it: petstore ${name} undo ${change}`);
    });
}

/** @throws UsageError */
function readChange({ name, patch = Object }: AdminRecords, set: FieldTexts): MergePatch<object> {
  const unknown = Object.keys(set).filter((field) => !fieldNamed(patch, field));
  if (unknown.length > 0) {
    const known = fieldsOf(patch).map((field) => field.name);
    throw new UsageError(
      `--set: ${name} have no ${unknown.join(', ')}; what can be set: ${known.join(', ')}.`,
    );
  }
  try {
    return readPatch(patch, set);
  } catch (error) {
    throw error instanceof InvalidRecordError ? new UsageError(`--set: ${error.message}`) : error;
  }
}

function readAssignment(text: string, before: FieldTexts = {}): FieldTexts {
  const [, field = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (field === '') throw new InvalidArgumentError('Write it as field=value.');
  if (Object.hasOwn(before, field)) throw new InvalidArgumentError(`${field} is set twice.`);
  return { ...before, [field]: value };
}

function readExpected(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

function numbered(count: number, { name, one }: AdminRecords): string {
  if (count === 1) return `1 ${one} matches`;
  return `${count.toLocaleString('en')} ${name} match`;
}

function inWords(set: FieldTexts): string {
  return Object.entries(set)
    .map(([field, value]) => `${field} to ${value === '' ? 'nothing' : JSON.stringify(value)}`)
    .join(', ');
}
