import { STATUS_CODES } from 'node:http';
import { type Command, Option } from 'commander';
import { type Cli, JSON_OPTION } from '../../platform/cli/cli';
import { readDay, readDuration, readNames, readText, readTimeOfDay } from '../../platform/cli/option-values';
import { BrownoutsService, type ClientResponse, ESTIMATE_BASIS } from './brownouts.service';

interface PlanOptions {
  readonly first: string;
  readonly last?: string;
  readonly at: string;
  readonly every: number;
  readonly lengths: readonly number[];
  readonly json?: true;
}

interface RehearseOptions {
  readonly value?: string;
  readonly json?: true;
}

const MINUTE_MS = 60_000;

const LENGTHS = [5, 15, 60, 240].map((minutes) => minutes * MINUTE_MS);

/** `petstore report brownouts`: plans to switch an operation off for a while, and shows whom that would affect. */
export function addBrownoutCommands(report: Command, cli: Cli): void {
  const brownouts = report
    .command('brownouts')
    .description('plan windows in which a deprecated operation is refused, and show which keys they affect')
    .addHelpText(
      'after',
      '\nExamples:\n  petstore report brownouts plan getPet --first 2030-09-02\n  petstore report brownouts rehearse',
    );

  brownouts
    .command('plan')
    .description(
      'propose increasingly long windows before the sunset, and the value of DEPRECATED_OPERATIONS for them',
    )
    .argument('<operation>', 'name of a deprecated operation, such as getPet')
    .requiredOption('--first <day>', 'day of the first window, such as 2030-09-02', readDay)
    .option('--last <day>', 'the latest day of a window (default: the sunset)', readDay)
    .option('--at <time>', 'when a window begins, in UTC', readTimeOfDay, '10:00')
    .addOption(
      new Option('--every <duration>', 'from one window to the next')
        .argParser(readDuration)
        .default(7 * 1_440 * MINUTE_MS, '1w'),
    )
    .addOption(
      new Option('--lengths <durations>', 'lengths of the windows, ascending, separated by commas')
        .argParser(readDurations)
        .default(LENGTHS, '5m,15m,1h,4h'),
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  petstore report brownouts plan getPet --first 2030-09-02\n  petstore report brownouts plan getPet --first 2030-11-04 --last 2030-11-29 --every 2d --lengths 15m,1h,8h --json',
    )
    .action(async (operation: string, { every, lengths, json, ...days }: PlanOptions) => {
      const schedule = { ...days, everyMs: every, lengthsMs: lengths };
      const plan = await cli.withApp((app) => app.get(BrownoutsService).plan(operation, schedule));
      if (json) return cli.output.json(plan);
      cli.output.table({
        header: ['FROM', 'TO', 'MINUTES'],
        rows: plan.windows.map(({ from, to }) => [
          from,
          to,
          String((Date.parse(to) - Date.parse(from)) / MINUTE_MS),
        ]),
      });
      cli.output.text(`\nDEPRECATED_OPERATIONS='${plan.value}'\n`);
    });

  brownouts
    .command('rehearse')
    .description('show which calls of which keys would be refused, and with which response')
    .option('--value <text>', 'a value of DEPRECATED_OPERATIONS (default: the current one)', readText)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      "\nExamples:\n  petstore report brownouts rehearse\n  petstore report brownouts rehearse --value 'getPet=brownout(2030-09-02T10:00:00Z/PT1H)' --json",
    )
    .action(async ({ value, json }: RehearseOptions) => {
      const rehearsals = await cli.withApp((app) => app.get(BrownoutsService).rehearse(value));
      if (json) return cli.output.json({ basis: ESTIMATE_BASIS, rehearsals });
      cli.output.table({
        header: ['OPERATION', 'FROM', 'TO', 'REFUSED CALLS'],
        rows: rehearsals.flatMap(({ operation, windows }) =>
          windows.map(({ from, to, refusals }) => [operation, from, to, String(refusals)]),
        ),
      });
      cli.output.text('\n');
      cli.output.table({
        header: ['OPERATION', 'KEY', 'NAME', 'OWNER', 'STATUS', 'CALLS', 'REFUSED CALLS'],
        rows: rehearsals.flatMap(({ operation, callers }) =>
          callers.map(({ keyId, name, owner, status, calls, refusals }) => [
            operation,
            keyId,
            name ?? '-',
            owner ?? '-',
            status ?? '-',
            String(calls),
            String(refusals),
          ]),
        ),
      });
      for (const { answer } of rehearsals) cli.output.text(`\n${responseText(answer)}`);
      cli.output.message(rehearsals.length === 0 ? 'No operation would be switched off.' : ESTIMATE_BASIS);
    });
}

function responseText({ status, headers, body }: ClientResponse): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\n${fields.join('')}\n${JSON.stringify(body)}\n`;
}

function readDurations(text: string): number[] {
  return readNames(text).map(readDuration);
}
