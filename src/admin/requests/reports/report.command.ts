import type { Command } from 'commander';
import { petstore } from '../../../platform/config/called-as';
import { EXPIRING_DAYS, IDLE_DAYS, UNUSED_DAYS } from '../../../auth/dto/key-warning';
import { KeyWarningsService } from '../../../auth/key-warnings.service';
import { type Cli, FORM_OPTION, JSON_OPTION } from '../../../platform/cli/cli';
import { readUpTo, readText } from '../../../platform/cli/option-values';
import { DeprecationReportService } from './deprecation-report.service';
import { UsageReportService } from './usage-report.service';

interface UsageOptions {
  readonly key?: string;
  readonly operation?: string;
  readonly days: number;
  readonly daily?: true;
  readonly json?: true;
}

/** `petstore report`: shows what keys call, which keys need attention, and which operations are deprecated. */
export function addReportCommands(program: Command, cli: Cli): void {
  const report = program
    .command('report')
    .description('show what keys call, which keys need attention, and who calls deprecated operations')
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} report usage\n  ${petstore()} report keys\n  ${petstore()} report deprecations`,
    );

  addUsageReport(report, cli);
  addKeysReport(report, cli);
  addDeprecationsReport(report, cli);
}

function addUsageReport(report: Command, cli: Cli): void {
  report
    .command('usage')
    .description('show how often each key calls each operation')
    .option('--key <id>', 'only calls made with this key', readText)
    .option('--operation <name>', 'only calls of this operation, such as getPet', readText)
    .option('--days <number>', 'number of days up to today; 400 are kept', readUpTo(36_500), 30)
    .option('--daily', 'one row a day, for all keys together')
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} report usage --operation getPet\n  ${petstore()} report usage --key key_0123456789abcdef --days 7 --daily --json`,
    )
    .action(async ({ key: keyId, operation, days, daily, json }: UsageOptions) => {
      const filter = { keyId, operation };
      const table = await cli.withApp(async (app) => {
        const usage = app.get(UsageReportService);
        await usage.assertKnown(filter);
        return daily
          ? dailyTable(await usage.byDay(days, filter))
          : usageTable(await usage.byKey(days, filter), days);
      });
      if (json) cli.output.json(table.data);
      else cli.output.table(table);
    });
}

function addKeysReport(report: Command, cli: Cli): void {
  report
    .command('keys')
    .description(
      `list active keys that expire within ${EXPIRING_DAYS} days, were not used for ${IDLE_DAYS} days, or were never used in the ${UNUSED_DAYS} days since they were created`,
    )
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .addHelpText('after', `\nExamples:\n  ${petstore()} report keys\n  ${petstore()} report keys --json`)
    .action(async ({ json }: { json?: true }) => {
      const warnings = await cli.withApp((app) => app.get(KeyWarningsService).list());
      if (json) return cli.output.json(warnings);
      cli.output.table({
        header: ['KEY', 'NAME', 'OWNER', 'WARNING', 'DAYS', 'EXPIRES', 'LAST USED'],
        spare: ['OWNER'],
        rows: warnings.map(({ kind, days, key }) => [
          key.id,
          key.name,
          key.owner ?? '-',
          kind,
          String(days),
          key.expiresAt ?? '-',
          key.lastUsedAt ?? '-',
        ]),
      });
    });
}

function addDeprecationsReport(report: Command, cli: Cli): void {
  report
    .command('deprecations')
    .description('show which operations are deprecated, when they are removed, and who still calls them')
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} report deprecations\n  ${petstore()} report deprecations --json`,
    )
    .action(async ({ json }: { json?: true }) => {
      const reports = await cli.withApp((app) => app.get(DeprecationReportService).list());
      if (json) return cli.output.json(reports);
      cli.output.table({
        header: 'OPERATION,STATE,SUNSET,DAYS LEFT,KEY,NAME,OWNER,STATUS,CALLS,LAST 30 DAYS,LAST USED'.split(
          ',',
        ),
        spare: ['OWNER', 'DAYS LEFT', 'STATUS', 'CALLS', 'STATE', 'KEY'],
        rows: reports.flatMap(({ operation, state, sunset, daysLeft, callers }) =>
          (callers.length > 0 ? callers : [undefined]).map((caller) => [
            operation,
            state,
            sunset,
            String(daysLeft),
            caller?.keyId ?? '-',
            caller?.name ?? '-',
            caller?.owner ?? '-',
            caller?.status ?? '-',
            String(caller?.count ?? 0),
            String(caller?.recent ?? 0),
            caller?.lastUsedAt ?? '-',
          ]),
        ),
      });
    });
}

function usageTable(data: Awaited<ReturnType<UsageReportService['byKey']>>, days: number) {
  return {
    data,
    header: ['KEY', 'NAME', 'OWNER', 'STATUS', 'OPERATION', 'CALLS', `LAST ${days} DAYS`, 'LAST USED'],
    spare: ['OWNER', 'STATUS', 'CALLS'],
    rows: data.map((use) => [
      use.keyId,
      use.name ?? '-',
      use.owner ?? '-',
      use.status ?? '-',
      use.operation,
      String(use.count),
      String(use.recent),
      use.lastUsedAt,
    ]),
  };
}

function dailyTable(data: Awaited<ReturnType<UsageReportService['byDay']>>) {
  return {
    data,
    header: ['DAY', 'OPERATION', 'CALLS'],
    rows: data.map(({ day, operation, count }) => [day, operation, String(count)]),
  };
}
