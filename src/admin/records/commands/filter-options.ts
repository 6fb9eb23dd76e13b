import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { UsageError } from '../../../platform/cli/command-error';
import { readId, readInstant, readText } from '../../../platform/cli/option-values';
import { listParameters, plainFields } from '../list-parameters';
import { optionalFields, type RecordField, timeFields } from '../record-fields';
import { readList, type RecordList, REMOVED_RECORDS, type TimeSpan } from '../list-request';
import { InvalidRecordError } from '../records.errors';
import type { RecordsService } from '../records.service';
import {
  fieldTexts,
  filterOption,
  type OptionValues,
  parameterOption,
  parameterTexts,
} from './field-options';

/** Help for every command with these options. */
export const FILTER_HELP = 'Write times as 2026-01-31 (its beginning in UTC) or 2026-01-31T09:30:00Z.';

/** Adds the options that filter records. */
export function addFilterOptions(command: Command, recordType: AdminRecords): Command {
  const { record } = recordType;
  for (const field of filterFields(recordType)) command.addOption(filterOption(field));
  for (const parameter of listParameters(recordType)) command.addOption(parameterOption(parameter));
  const optional = optionalFields(record).map(({ name }) => name);
  if (optional.length > 0) {
    command.addOption(
      new Option('--not-set <fields...>', 'only records without a value in these fields').choices(optional),
    );
  }
  const times = timeFields(record).map(({ name }) => name);
  const others = times.length > 0 ? `; field=time for another time: ${times.join(', ')}` : '';
  const read = timeReader(times);
  return command
    .option('--id <id>', 'only the record with this id', readId)
    .option('--from <instant>', `only records added at this time or later${others}`, read)
    .option('--to <instant>', `only records added before this time${others}`, read);
}

/** Instants by the name of their field. */
type Instants = Readonly<Record<string, Date>>;

/** Reads an instant of creation, or `field=instant`. */
function timeReader(fields: readonly string[]): (text: string, before?: Instants) => Instants {
  return (text, before = {}) => {
    const [, named, instant = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(text) ?? [];
    if (named !== undefined && !fields.includes(named)) {
      throw new InvalidArgumentError(
        fields.length > 0 ? `The fields with a time are ${fields.join(', ')}.` : 'Write the instant alone.',
      );
    }
    const name = named ?? 'createdAt';
    if (Object.hasOwn(before, name)) throw new InvalidArgumentError('It is given twice.');
    return { ...before, [name]: readInstant(instant) };
  };
}

/** Adds the option that includes removed records. */
export function addRemovedOption(command: Command): Command {
  return command.addOption(
    new Option('--removed <which>', 'list records without removed ones, only removed ones, or all')
      .choices(REMOVED_RECORDS)
      .default('without'),
  );
}

/** Adds the options for the order. */
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
 * Reads the filter and the order from the options.
 *
 * @throws UsageError or InvalidRecordError, which name the option at fault
 */
export function readListOptions(
  records: RecordsService,
  recordType: AdminRecords,
  options: OptionValues,
): RecordList {
  const given = options as {
    id?: bigint;
    from?: Instants;
    to?: Instants;
    notSet?: string[];
    removed?: string;
    sort?: string;
    desc?: boolean;
  };
  const { from = {}, to = {} } = given;
  const times = Object.keys({ ...from, ...to }).map((name) => [name, { from: from[name], to: to[name] }]);
  const { filter, order, faults } = readList(records.listFacts(recordType), {
    id: given.id,
    fields: fieldTexts(filterFields(recordType), options),
    parameters: parameterTexts(listParameters(recordType), options),
    notSet: given.notSet ?? [],
    times: Object.fromEntries(times) as Readonly<Record<string, TimeSpan>>,
    removed: given.removed ?? 'without',
    order: { by: given.sort ?? 'id', descending: given.desc ?? false },
  });
  if (faults.times) throw new UsageError(`--from, --to: ${faults.times}`);
  if (faults.removed) throw new UsageError(`--removed: ${faults.removed}`);
  if (faults.fields.length > 0) throw new InvalidRecordError(faults.fields);
  if (faults.order) throw new UsageError(`--sort: ${faults.order}`);
  return { filter, order };
}

/** Fields to filter by, except the id, which has an option of its own. */
function filterFields(recordType: AdminRecords): RecordField[] {
  return plainFields(recordType).filter(({ name }) => name !== 'id');
}
