import { stringify } from 'csv-stringify/sync';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ApiKeysService } from '../../auth/api-keys.service';
import { petstore } from '../../platform/config/called-as';
import type { AuditFilter } from '../../platform/audit/audit-events.repository';
import type { LogWindow } from '../../platform/database/entities/log-search';
import { type Cli, type CommandContext, FORM_OPTION, JSON_OPTION } from '../../platform/cli/cli';
import { addFilters, filterValues } from '../../platform/cli/filter-options';
import { readCount, readId, readText } from '../../platform/cli/option-values';
import { readSlice } from '../../platform/database/statements/page';
import { BYTE_ORDER_MARK } from '../../platform/values/byte-order-mark';
import { exactJson } from '../../platform/values/exact-json';
import {
  actionInWords,
  actorInWords,
  type AuditEntry,
  AuditTrailService,
  changesInWords,
  subjectInWords,
} from './audit-trail.service';
import { AUDIT_FILTERS, auditFilter } from './audit-filters';
import { actionOfEach, importSummary } from './bulk-changes';
import { AuditEventNotFoundError } from './audit.errors';

interface ListOptions {
  readonly limit: number;
  readonly after?: bigint;
  readonly within?: bigint;
  readonly json?: true;
}

type Format = 'ndjson' | 'csv' | 'spreadsheet';

interface ExportOptions {
  readonly format: Format;
  readonly output?: string;
}

const MAX_LISTED = 10_000;

const COLUMNS = [
  'id',
  'at',
  'actor',
  'action',
  'subjectType',
  'subjectId',
  'before',
  'after',
  'requestId',
  'address',
  'actorName',
  'whole',
] as const;

/** `petstore audit`: lists and exports changes. */
export function addAuditCommands(program: Command, cli: Cli): void {
  const audit = program
    .command('audit')
    .description('show who changed what and when')
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} audit list\n  ${petstore()} audit export --output audit.ndjson`,
    );

  addFilters(audit.command('list').description('list changes, newest first'), AUDIT_FILTERS)
    .option('--limit <number>', 'most changes to list', readLimit, 50)
    .option('--after <id>', 'only changes older than the change with this id', readId)
    .option(
      '--within <id>',
      'only the changes of single records in this bulk change, or the batches of this import',
      readId,
    )
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} audit list --subject pets/17\n  ${petstore()} audit list --actor cli:jo --from 2026-01-31 --json\n  ${petstore()} audit list --action keys.revoke --limit 10 --after 4711\n  ${petstore()} audit list --within 4711`,
    )
    .action(async ({ limit, after, within, json, ...options }: ListOptions) => {
      const {
        items: entries,
        hasMore,
        keys,
      } = await cli.withApp(async (app) => {
        const slice = await readSlice(limit, (most) =>
          listed(app, filterOf(options), within, { before: after, limit: most }),
        );
        const actors = slice.items.map(({ actor }) => actor);
        return { ...slice, keys: await app.get(ApiKeysService, { strict: false }).byId(actors) };
      });
      const next = hasMore ? entries.at(-1)?.id : undefined;
      if (json) return cli.output.json({ items: entries, next: next ?? null });
      const named = entries.map((entry) => ({
        ...entry,
        actorName: keys.get(entry.actor)?.name ?? entry.actorName,
      }));
      // The name without the id of the key or the person.
      const names = new Map(named.map((entry) => [actorInWords(entry), entry.actorName]));
      cli.output.table({
        ...TABLE,
        short: { ACTOR: (actor) => names.get(actor) ?? actor },
        rows: named.map(row),
      });
      if (next !== undefined) cli.output.message(`Next page: --after ${next}`);
    });

  addFilters(audit.command('export').description('export all changes, newest first'), AUDIT_FILTERS)
    .addOption(
      new Option('--format <format>', 'NDJSON, CSV, or CSV with a byte order mark')
        .choices(['ndjson', 'csv', 'spreadsheet'])
        .default('ndjson'),
    )
    .option('--output <file>', 'new file to write (default: standard output)', readText)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} audit export --output audit-2026.ndjson --from 2026-01-01 --to 2027-01-01\n  ${petstore()} audit export --format csv --subject keys > keys.csv`,
    )
    .action(async ({ format, output, ...options }: ExportOptions) => {
      let count = 0;
      await cli.withApp((app) => {
        const pages = app.get(AuditTrailService).pages(filterOf(options));
        return cli.output.stream(
          write(pages, format, (entries) => (count += entries)),
          output,
        );
      });
      cli.output.message(`${count.toLocaleString('en')} change${count === 1 ? ' was' : 's were'} exported.`);
    });
}

/**
 * Lists changes with each bulk change as one, or what one of them is made of. @throws AuditEventNotFoundError
 */
async function listed(
  app: CommandContext,
  filter: AuditFilter,
  within: bigint | undefined,
  window: LogWindow,
): Promise<AuditEntry[]> {
  const trail = app.get(AuditTrailService);
  if (within === undefined) return trail.listFolded(filter, window);
  const bulk = await trail.find(within);
  if (!bulk) throw new AuditEventNotFoundError(`There is no change ${within}.`);
  const { subjectType, subjectId, action } = bulk;
  if (importSummary(bulk)) return trail.list({ subjectType, subjectId, action }, window);
  return trail.list({ whole: bulk.whole ?? bulk.id, action: actionOfEach(bulk) }, window);
}

const TABLE = {
  header: ['ID', 'AT', 'ACTOR', 'ACTION', 'SUBJECT', 'CHANGES', 'REQUEST', 'ADDRESS'],
  whole: ['AT', 'ACTION'],
  spare: ['ADDRESS', 'REQUEST'],
  wrapped: 'CHANGES',
};

function row(entry: AuditEntry): string[] {
  return [
    String(entry.id),
    entry.at,
    actorInWords(entry),
    actionInWords(entry),
    subjectInWords(entry),
    changesInWords(entry),
    entry.requestId ?? '-',
    entry.address ?? '-',
  ];
}

async function* write(
  pages: AsyncIterable<AuditEntry[]>,
  format: Format,
  onPage: (entries: number) => void,
): AsyncGenerator<string> {
  if (format === 'spreadsheet') yield BYTE_ORDER_MARK;
  const isCsv = format === 'csv' || format === 'spreadsheet';
  if (isCsv) yield stringify([COLUMNS]);
  for await (const entries of pages) {
    onPage(entries.length);
    yield isCsv ? csvLines(entries) : entries.map((entry) => `${exactJson(entry)}\n`).join('');
  }
}

function csvLines(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) =>
    COLUMNS.map((name) => {
      const value = entry[name];
      return typeof value === 'object' && value !== null ? exactJson(value) : value;
    }),
  );
  // A client chooses its request id: a spreadsheet must not take it for a formula.
  return stringify(rows, { escape_formulas: true });
}

function filterOf(options: object): AuditFilter {
  return auditFilter(filterValues(AUDIT_FILTERS, options));
}

function readLimit(text: string): number {
  const limit = readCount(text);
  if (limit > MAX_LISTED) {
    throw new InvalidArgumentError(
      `The most is ${MAX_LISTED}; "${petstore()} audit export" writes all changes.`,
    );
  }
  return limit;
}
