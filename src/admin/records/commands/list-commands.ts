import { type Command, InvalidArgumentError } from 'commander';
import { petstore } from '../../../platform/config/called-as';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { type Cli, FORM_OPTION, JSON_OPTION } from '../../../platform/cli/cli';
import { readCount, readId } from '../../../platform/cli/option-values';
import { readSlice } from '../../../platform/database/statements/page';
import { actorInWords, changesInWords } from '../../audit/audit-trail.service';
import {
  type HistoryView,
  positionText,
  readHistoryPosition,
  unknownInWords,
  viewEntry,
} from '../history/history-view';
import { positionOf, type RecordPosition } from '../list-request';
import { type HistoryPosition, RecordHistory } from '../history/record-history.service';
import type { OptionValues } from './field-options';
import {
  addFilterOptions,
  addOrderOptions,
  addRemovedOption,
  FILTER_HELP,
  readListOptions,
} from './filter-options';
import { recordJson, recordsTable, recordTable } from './record-view';
import { withRecords } from './with-records';

const LIMIT = 50;

/** Options of every list. */
interface ListOptions extends OptionValues {
  readonly limit: number;
  readonly after?: bigint;
  readonly json?: true;
}

interface HistoryOptions {
  readonly limit: number;
  readonly after?: HistoryPosition;
  readonly json?: true;
}

/** `petstore <kind> list` */
export function addListCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name, one } = recordType;
  const command = group.command('list').description(`list ${name}, a page at a time`);
  addFilterOptions(command, recordType);
  addRemovedOption(command, recordType);
  addOrderOptions(command)
    .option('--limit <count>', `most ${name} to list`, readCount, LIMIT)
    .option('--after <id>', `only ${name} after the ${one} with this id`, readId)
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .addHelpText(
      'after',
      `\n${FILTER_HELP}\n\nExamples:\n  ${petstore()} ${name} list\n  ${petstore()} ${name} list --from 2026-01-01 --sort createdAt --desc --limit 10\n  ${petstore()} ${name} list --after 50 --json`,
    )
    .action(async (options: ListOptions) => {
      const { limit, after, json } = options;
      const {
        items: page,
        hasMore,
        lookedTo,
      } = await withRecords(cli, async (records) => {
        const list = readListOptions(records, recordType, options);
        const position =
          after === undefined ? undefined : positionOf(await records.get(recordType, after), list.order);
        let reached: RecordPosition | undefined;
        const slice = await readSlice(limit, async (most) => {
          const found = await records.searchBriefly(recordType, { ...list, after: position, limit: most });
          reached = found.lookedTo;
          return found.records;
        });
        return { ...slice, lookedTo: reached };
      });
      const next = lookedTo?.id ?? (hasMore ? page.at(-1)?.values.id : undefined);
      if (json) return cli.output.json({ items: page.map(recordJson), next: next ?? null });
      cli.output.table(recordsTable(recordType, page));
      if (next === undefined) return;
      const reach = lookedTo ? `Searched as far as ${one} ${next}. ` : '';
      cli.output.message(`${reach}Next page: --after ${next}`);
    });
}

/** `petstore <kind> show` */
export function addShowCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name, one } = recordType;
  group
    .command('show')
    .description(`show one ${one}, removed or not`)
    .argument('<id>', `id of the ${one}`, readId)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} ${name} show 1\n  ${petstore()} ${name} show 1 --json`,
    )
    .action(async (id: bigint, { json }: { json?: true }) => {
      const record = await withRecords(cli, (records) => records.get(recordType, id));
      if (json) cli.output.json(recordJson(record));
      else cli.output.table(recordTable(record));
    });
}

/** `petstore <kind> history` */
export function addHistoryCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name, one } = recordType;
  group
    .command('history')
    .description(`list changes of one ${one} by operators and API clients, newest first`)
    .argument('<id>', `id of the ${one}`, readId)
    .option('--limit <count>', 'most changes to list', readCount, LIMIT)
    .option('--after <place>', 'only older changes: the value in the line "Next page"', readPlace)
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} ${name} history 1\n  ${petstore()} ${name} history 1 --limit 10 --json`,
    )
    .action(async (id: bigint, { limit, after, json }: HistoryOptions) => {
      const { entries, next, unknown } = await withRecords(cli, async (records, app) => {
        await records.get(recordType, id);
        return app.get(RecordHistory, { strict: false }).list(recordType, id, limit, after);
      });
      const items = entries.map(viewEntry);
      const actionOf = ({ action }: HistoryView, row: number) =>
        entries[row]?.undone === undefined ? action : `${action}, undo of ${entries[row].undone}`;
      if (json) return cli.output.json({ items, next: next ? positionText(next) : null });
      cli.output.table({
        header: ['ID', 'AT', 'ACTOR', 'ACTION', 'CHANGES'],
        whole: ['AT', 'ACTION'],
        wrapped: 'CHANGES',
        rows: items.map((item, row) => [
          String(item.id ?? '-'),
          item.at,
          actorInWords(item),
          actionOf(item, row),
          item.operation === null ? changesInWords(item) : `${item.operation}, request ${item.requestId}`,
        ]),
      });
      if (next) cli.output.message(`Next page: --after ${positionText(next)}`);
      if (unknown) cli.output.message(unknownInWords(unknown));
    });
}

function readPlace(text: string): HistoryPosition {
  const position = readHistoryPosition(text);
  if (!position) throw new InvalidArgumentError('Copy the value from the line "Next page".');
  return position;
}
