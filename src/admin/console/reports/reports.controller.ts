import { Get } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { inDays } from '../../../platform/values/calendar';
import { inWords } from '../../records/record-fields';
import { DeprecationReportService, RECENT_DAYS } from '../../requests/reports/deprecation-report.service';
import { type KeyOperationUsage, UsageReportService } from '../../requests/reports/usage-report.service';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { STATUS_TONES } from '../keys/key-words';
import { type ConsolePage, page } from '../../../platform/features/console-page';
import { requestsDuring } from '../requests/requests-path';
import type { Option } from '../ui/fields';
import { usageChart } from '../charts/usage-chart';

const PERIODS = [7, 30, 90];

/** Maximum number of rows in a table and of keys to choose from; the command line has them all. */
const MOST_ROWS = 200;

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

const TABS = [
  { title: 'Deprecations', path: '/admin/reports' },
  { title: 'Usage', path: '/admin/reports/usage' },
];

/** Reports on usage, and on deprecated operations with the keys that call them. Reads only; changes nothing. */
@ConsoleController('reports')
export class ReportsController {
  constructor(
    private readonly deprecations: DeprecationReportService,
    private readonly usage: UsageReportService,
    private readonly keys: ApiKeysService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Get()
  async deprecated(): Promise<ConsolePage> {
    const reports = await this.deprecations.list();
    const shown = await Promise.all(
      reports.map(async (each) => ({
        ...each,
        ...shorten(each.callers),
        callers: each.callers.length,
        removedOn: DAY.format(new Date(each.sunset)),
        due: Date.parse(each.sunset) > Date.now() ? inDays(each.daysLeft) : 'removal is due',
        deprecatedOn: DAY.format(new Date(each.since)),
        stateInWords: inWords(each.state),
        chart: usageChart(
          `calls-${each.operation}`,
          await this.usage.byDay(RECENT_DAYS, { operation: each.operation }),
          {
            days: RECENT_DAYS,
            total: each.count,
            pathOf: requestsDuring(this.settings.requestLogDays, { operation: each.operation }),
          },
        ),
      })),
    );
    return report('deprecations', '/admin/reports', { reports: shown, tones: STATUS_TONES });
  }

  @Get('usage')
  async used(@CurrentRequest() { query }: ConsoleRequest): Promise<ConsolePage> {
    const days = PERIODS.find((period) => String(period) === query.get('days')) ?? 30;
    const logDays = this.settings.requestLogDays;
    const filter = { keyId: query.get('key') || undefined, operation: query.get('operation') || undefined };
    const [uses, daily, keys] = await Promise.all([
      this.usage.byKey(days, filter),
      this.usage.byDay(days, filter),
      this.keyOptions(filter.keyId),
    ]);
    return report('usage', '/admin/reports/usage', {
      days,
      filter,
      ...shorten(uses),
      calls: sumOf(daily),
      chart: usageChart('calls', daily, {
        days,
        total: sumOf(uses),
        pathOf: requestsDuring(logDays, { key: filter.keyId, operation: filter.operation }),
      }),
      tones: STATUS_TONES,
      logDays,
      periods: PERIODS.map((period) => ({ value: String(period), label: `Last ${period} days` })),
      keys: [{ value: '', label: 'All keys' }, ...keys],
      operations: [
        { value: '', label: 'All operations' },
        ...this.usage.operations().map((id) => ({ value: id, label: id })),
      ],
    });
  }

  /** Keys to choose from: the first by name, and the chosen one. Other keys are reached from their own pages. */
  private async keyOptions(chosen: string | undefined): Promise<Option[]> {
    const first = await this.keys.search({}, { by: 'name', descending: false, limit: MOST_ROWS });
    const options = first.map(({ id, name }) => ({ value: id, label: name }));
    if (chosen === undefined || options.some(({ value }) => value === chosen)) return options;
    const key = (await this.keys.byId([chosen])).get(chosen);
    return [...options, { value: chosen, label: key?.name ?? chosen }];
  }
}

function report(template: string, path: string, data: object): ConsolePage {
  const tabs = TABS.map((tab) => ({ ...tab, isCurrent: tab.path === path }));
  return page(`/reports/${template}`, { title: 'Reports', data: { ...data, tabs } });
}

function shorten(uses: readonly KeyOperationUsage[]) {
  return { uses: uses.slice(0, MOST_ROWS), left: Math.max(0, uses.length - MOST_ROWS) };
}

function sumOf(uses: readonly { readonly count: number }[]): number {
  return uses.reduce((sum, { count }) => sum + count, 0);
}
