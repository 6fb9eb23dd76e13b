import { type Command, Option } from 'commander';
import type { AdminRecords } from '../../platform/admin/admin-records';
import { UsageError } from '../../platform/cli/command-error';
import { readId, readInstant, readText } from '../../platform/cli/option-values';
import { fieldsOf, type RecordField } from '../records/record-fields';
import type { RecordFilter, RecordOrder, RemovedRecords } from '../records/record-query';
import { readValues } from '../records/record-values';
import { InvalidRecord } from '../records/records.errors';
import type { RecordsService } from '../records/records.service';
import { faultsByOption, fieldTexts, filterOption, type OptionValues } from './field-options';

/** The help of whatever takes these options. */
export const FILTER_HELP = 'Instants are written 2026-01-31 (its beginning in UTC) or 2026-01-31T09:30:00Z.';

/** Adds the options that say which records are meant. */
export function addFilterOptions(command: Command, { record }: AdminRecords): Command {
  for (const field of filterFields(record)) command.addOption(filterOption(field));
  return command
    .option('--id <id>', 'only the one with this id', readId)
    .option('--from <instant>', 'only those added at this instant or later', readInstant)
    .option('--to <instant>', 'only those added before this instant', readInstant);
}

/** Adds the option that says whether removed records are meant. */
export function addRemovedOption(command: Command): Command {
  return command.addOption(
    new Option('--removed <which>', 'whether removed ones are meant: without, only or with them')
      .choices(['without', 'only', 'with'])
      .default('without'),
  );
}

/** Adds the options that say in which order. */
export function addOrderOptions(command: Command): Command {
  return command
    .option(
      '--sort <field>',
      'in the order of a field with an index, or of createdAt (default: id)',
      readText,
    )
    .option('--desc', 'in descending order');
}

/**
 * Which records the options mean.
 *
 * @throws UsageError naming the options at fault
 */
export function readFilter(records: RecordsService, kind: AdminRecords, options: OptionValues): RecordFilter {
  const {
    id,
    from,
    to,
    removed = 'without',
  } = options as {
    id?: bigint;
    from?: Date;
    to?: Date;
    removed?: RemovedRecords;
  };
  if ((from || to) && !records.isDated(kind)) {
    throw new UsageError(`--from, --to: it is not kept when ${kind.name} were added.`);
  }
  if (removed !== 'without' && !records.keepsRemoved(kind)) {
    throw new UsageError(`--removed: removed ${kind.name} are not kept.`);
  }
  return { id, from, to, removed, fields: readFields(kind, options) };
}

/** In which order the options want records. @throws UsageError */
export function readOrder(records: RecordsService, kind: AdminRecords, options: OptionValues): RecordOrder {
  const { sort = 'id', desc = false } = options as { sort?: string; desc?: boolean };
  const orders = records.ordersOf(kind);
  if (orders.includes(sort)) return { by: sort, descending: desc };
  throw new UsageError(`--sort: ${kind.name} can be sorted by ${orders.join(', ')}.`);
}

function readFields({ record }: AdminRecords, options: OptionValues): NonNullable<RecordFilter['fields']> {
  const texts = fieldTexts(filterFields(record), options);
  try {
    const values = readValues(record, texts) as Record<string, string>;
    return Object.fromEntries(Object.keys(texts).map((name) => [name, values[name] as string]));
  } catch (error) {
    throw error instanceof InvalidRecord ? new UsageError(faultsByOption(error.faults)) : error;
  }
}

/** The id has an option of its own; nobody looks for an instant to the millisecond. */
function filterFields(record: AdminRecords['record']): RecordField[] {
  return fieldsOf(record).filter(({ name, kind }) => name !== 'id' && kind !== 'date-time');
}
