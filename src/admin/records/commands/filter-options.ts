import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { UsageError } from '../../../platform/cli/command-error';
import { readId, readInstant, readText } from '../../../platform/cli/option-values';
import { type FilterTexts, readList, type RecordList } from '../list-request';
import { timeFields } from '../record-fields';
import { NOT_SET, recordFilters, type RecordListFilter, REMOVED, REMOVED_RECORDS } from '../record-filters';
import { InvalidRecordError } from '../records.errors';
import type { RecordsService } from '../records.service';
import { attributeOf, type FieldFilter, filterOption, type OptionValues } from './field-options';

/** Help for every command with these options. */
export const FILTER_HELP = 'Write times as 2026-01-31 (its beginning in UTC) or 2026-01-31T09:30:00Z.';

/** Adds the options that filter records. */
export function addFilterOptions(command: Command, recordType: AdminRecords): Command {
  const filters = everyFilter(recordType);
  for (const filter of filters.filter(isByOption)) command.addOption(filterOption(filter));
  const { option, help, values } = filters.find(({ name }) => name === NOT_SET) ?? {};
  if (option)
    command.addOption(new Option(option, help).choices((values?.choices ?? []).map(({ value }) => value)));
  const times = timeFields(recordType.record).map(({ name }) => name);
  const others = times.length > 0 ? `; field=time for another time: ${times.join(', ')}` : '';
  const read = timeReader(times);
  return command
    .option('--id <id>', 'only the record with this id', readId)
    .option('--from <instant>', `only records added at this time or later${others}`, read)
    .option('--to <instant>', `only records added before this time${others}`, read);
}

/** The filters of all that a record type may have: only the database tells what it has. */
function everyFilter(recordType: AdminRecords): RecordListFilter[] {
  return recordFilters({ recordType, isDated: true, keepsRemoved: true });
}

/** True for a filter with an option of its name; the id and the ends of times have others. */
function isByOption(filter: RecordListFilter): filter is FieldFilter {
  return filter.as !== undefined && filter.name !== 'id';
}

/** Instants by the name of their field. */
type Instants = Readonly<Record<string, Date>>;

/** Reads an instant of creation, or `field=instant`. */
function timeReader(fields: readonly string[]): (text: string, before?: Instants) => Instants {
  return (text, before = {}) => {
    const [, named, instant = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(text) ?? [];
    if (named !== undefined && !fields.includes(named)) {
      throw new InvalidArgumentError(
        fields.length > 0 ? `The fields with a time are ${fields.join(', ')}.` : 'Write the time alone.',
      );
    }
    const name = named ?? 'createdAt';
    if (Object.hasOwn(before, name)) throw new InvalidArgumentError('The time is given twice.');
    return { ...before, [name]: readInstant(instant) };
  };
}

/** Adds the option that includes removed records. */
export function addRemovedOption(command: Command, recordType: AdminRecords): Command {
  const { option = '', help } = everyFilter(recordType).find(({ name }) => name === REMOVED) ?? {};
  return command.addOption(new Option(option, help).choices(REMOVED_RECORDS).default('without'));
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
  const given = options as { removed?: string; sort?: string; desc?: boolean };
  const facts = records.listFacts(recordType);
  const { filter, order, faults } = readList(facts, {
    texts: filterTexts(recordFilters(facts), options, recordType),
    order: { by: given.sort ?? 'id', descending: given.desc ?? false },
  });
  if (faults.removed) throw new UsageError(`--removed: ${faults.removed}`);
  if (faults.fields.length > 0) throw new InvalidRecordError(faults.fields);
  if (faults.order) throw new UsageError(`--sort: ${faults.order}`);
  return { filter, order };
}

/** Returns the texts of the filters whose options are given. @throws UsageError */
function filterTexts(
  filters: readonly RecordListFilter[],
  options: OptionValues,
  { name: recordType }: AdminRecords,
): FilterTexts {
  const { id, notSet, removed, ...given } = options as {
    id?: bigint;
    notSet?: string[];
    removed?: string;
    from?: Instants;
    to?: Instants;
  };
  const byOption = filters.filter(isByOption).map(({ name }) => [name, options[attributeOf(name)]]);
  const times = (['from', 'to'] as const).flatMap((end) =>
    Object.entries(given[end] ?? {}).map(([field, instant]) => {
      const operator = end === 'to' ? 'before' : end;
      const filter = filters.find((each) => !each.as && each.field === field && each.operator === operator);
      if (!filter) throw new UsageError(`--from, --to: ${recordType} do not record when they were added.`);
      return [filter.name, instant.toISOString()] as const;
    }),
  );
  return {
    ...(Object.fromEntries(byOption) as FilterTexts),
    ...Object.fromEntries(times),
    id: id?.toString(),
    [NOT_SET]: notSet,
    [REMOVED]: removed,
  };
}
