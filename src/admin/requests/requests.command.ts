import { type Command, InvalidArgumentError } from 'commander';
import { petstore } from '../../platform/config/called-as';
import { type Cli, type CommandContext, FORM_OPTION, JSON_OPTION } from '../../platform/cli/cli';
import { addFilters, filterValues } from '../../platform/cli/filter-options';
import { interruptible } from '../../platform/cli/interruption';
import { readCount, readId, readText } from '../../platform/cli/option-values';
import { exactJson } from '../../platform/values/exact-json';
import { REQUEST_FILTERS, requestFilter } from './request-filters';
import { LoggedRequestNotFoundError } from './requests.errors';
import { RequestsService, type RequestView } from './requests.service';
import { type TimelineRow, timelineRows } from './timeline-rows';

interface ListOptions {
  readonly limit: number;
  readonly after?: bigint;
  readonly json?: true;
}

interface TailOptions {
  readonly last: number;
  readonly json?: true;
}

/** Most requests listed at once. */
const MAX_LISTED = 1_000;

/** Most requests shown for one id: clients that reuse an id do so for repetitions. */
const MAX_SHOWN = 20;

/** `petstore requests`: shows what became of requests. */
export function addRequestCommands(program: Command, cli: Cli): void {
  const requests = program
    .command('requests')
    .description('show requests, their outcomes, and why they were refused')
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} requests show 6f1f7e6c-6a0e-4c8e-9d6b-1f6f3c1d2a3b\n  ${petstore()} requests list --outcome refused\n  ${petstore()} requests tail`,
    );

  /** Reads the log without adding to it, however long that takes. */
  const read = <T>(work: (app: CommandContext) => Promise<T>) =>
    cli.withApp(work, undefined, { changesNothing: true });

  addFilters(requests.command('list').description('list requests, newest first'), REQUEST_FILTERS)
    .option('--limit <number>', 'most requests to list', readLimit, 50)
    .option('--after <id>', 'only requests older than the request with this row id', readId)
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} requests list --outcome failed --from 2026-01-31\n  ${petstore()} requests list --key key_0123456789abcdef --status 403 --json\n  ${petstore()} requests list --operation getPet --min-duration 250`,
    )
    .action(async ({ limit, after, json, ...options }: ListOptions) => {
      const { items, next, lookedBackTo } = await read((app) => {
        const filter = requestFilter(filterValues(REQUEST_FILTERS, options));
        return app.get(RequestsService).list(filter, { before: after, limit });
      });
      if (json) return cli.output.json({ items, next: next ?? null });
      cli.output.table({ ...TABLE, rows: items.map(row) });
      if (next === undefined) return;
      const reach = lookedBackTo ? `Searched back to ${lookedBackTo.toISOString()}. ` : '';
      cli.output.message(`${reach}Next page: --after ${next}`);
    });

  requests
    .command('show')
    .description('show a request by the X-Request-Id of its response')
    .argument('<request-id>', 'X-Request-Id, or its short form in a list', readText)
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExamples:\n  ${petstore()} requests show 6f1f7e6c-6a0e-4c8e-9d6b-1f6f3c1d2a3b`)
    .action(async (requestId: string, { json }: { json?: true }) => {
      const items = await read(async (app) => {
        const service = app.get(RequestsService);
        const found = await service.named(requestId, MAX_SHOWN);
        return Promise.all(found.map(({ id }) => service.get(id)));
      });
      if (items.length === 0) throw new LoggedRequestNotFoundError();
      if (json) return cli.output.json({ items });
      for (const { timeline, ...item } of items) {
        cli.output.table({ header: ['FIELD', 'VALUE'], rows: fields(item) });
        if (!timeline) continue;
        cli.output.table({ ...TIMELINE, rows: timelineRows(timeline).map(timelineCells) });
      }
    });

  addFilters(
    requests.command('tail').description('follow requests on all nodes, until Ctrl+C'),
    REQUEST_FILTERS,
  )
    .option('--last <number>', 'number of recent requests to begin with', readLimit, 10)
    .option('--json', 'print one JSON object a line')
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} requests tail\n  ${petstore()} requests tail --outcome refused --json`,
    )
    .action(async ({ last, json, ...options }: TailOptions) => {
      await read((app) =>
        interruptible(async (signal) => {
          const filter = requestFilter(filterValues(REQUEST_FILTERS, options));
          const pages = app.get(RequestsService).tail(filter, last, signal);
          if (json) return cli.output.stream(lines(pages));
          let isBegun = false;
          for await (const items of pages) {
            cli.output.table({ ...TABLE, rows: items.map(row), widths: WIDTHS, isBegun });
            isBegun = true;
          }
        }),
      );
    });
}

/** Columns of requests. On a narrow terminal why a request was refused goes before who sent it. */
const TABLE = {
  header: [
    ...['REQUEST', 'AT', 'OPERATION', 'STATUS', 'CODE', 'KEY NAME'],
    ...['MS', 'WAIT MS', 'KEY', 'ADDRESS', 'NODE'],
  ],
  whole: ['AT', 'CODE'],
  seconds: ['AT'],
  short: { REQUEST: shortId, AT: (at: string) => at.replace(/^\d{4}-/, '') },
  spare: ['NODE', 'WAIT MS', 'ADDRESS', 'KEY', 'MS'],
};

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Widths of these columns where not all requests are known yet. */
const WIDTHS = [12, 15, 12, 6, 22, 12, 9, 9, 20, 15, 12];

const TIMELINE = {
  header: ['AT MS', 'MS', 'COUNT', 'ROWS', 'WHAT', 'PLACE'],
  wrapped: 'WHAT',
};

function timelineCells({ atMs, ms, count, rows, what, isStatement, failed, place }: TimelineRow): string[] {
  const text = isStatement ? `  ${what.replaceAll(/\s+/g, ' ')}` : what;
  const cells = [atMs, ms, count, rows].map((value) => String(value ?? '-'));
  return [...cells, failed ? `${text} (${failed} failed)` : text, place ?? '-'];
}

/** The first digits of a UUID, which `requests show` accepts, or the beginning of an id that a client made. */
function shortId(requestId: string): string {
  if (UUID.test(requestId)) return requestId.slice(0, 8);
  return requestId.length > 12 ? `${requestId.slice(0, 11)}…` : requestId;
}

function row(request: RequestView): string[] {
  const { requestId, at, status, code, durationMs, waitMs, keyId, keyName, address, node } = request;
  return [
    requestId,
    at,
    operationText(request),
    String(status ?? '-'),
    code ?? (request.outcome === 'aborted' ? 'aborted' : '-'),
    keyName ?? '-',
    String(durationMs),
    String(waitMs ?? '-'),
    keyId ?? '-',
    address ?? '-',
    node,
  ];
}

function fields(request: RequestView): string[][] {
  return Object.entries(request).map(([name, value]) => [name, value === null ? '-' : String(value)]);
}

function operationText({ operation, method, route }: RequestView): string {
  return operation ?? ([method, route].filter(Boolean).join(' ') || '-');
}

async function* lines(pages: AsyncIterable<RequestView[]>): AsyncGenerator<string> {
  for await (const items of pages) yield items.map((item) => `${exactJson(item)}\n`).join('');
}

function readLimit(text: string): number {
  const limit = readCount(text);
  if (limit > MAX_LISTED) throw new InvalidArgumentError(`The most is ${MAX_LISTED}.`);
  return limit;
}
