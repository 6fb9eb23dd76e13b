import { STATUS_CODES } from 'node:http';
import { Get } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { inDays } from '../../../platform/values/calendar';
import {
  InvalidValueError,
  parseDay,
  parseDuration,
  parseTimeOfDay,
} from '../../../platform/values/written-values';
import { inWords } from '../../records/record-fields';
import type { BrownoutSchedule } from '../../deprecation/brownout-plan';
import { BrownoutsService, type ClientResponse, ESTIMATE_BASIS } from '../../deprecation/brownouts.service';
import { DeprecationReportService, RECENT_DAYS } from '../../deprecation/deprecation-report.service';
import { type KeyOperationUsage, UsageReportService } from '../../deprecation/usage-report.service';
import { duration } from '../ui/number-text';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { today } from '../http/days';
import { formFaults } from '../http/form-faults';
import { STATUS_TONES } from '../keys/key-words';
import { type ConsolePage, page } from '../../../platform/features/console-page';
import type { Option } from '../ui/fields';
import { type DailyUse, usageChart } from '../charts/usage-chart';

const DEFAULTS = { operation: '', first: '', last: '', at: '10:00', every: '1w', lengths: '5m, 15m, 1h, 4h' };

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
  { title: 'Brownouts', path: '/admin/reports/brownouts' },
];

/** Reports on usage, on deprecated operations, and on the keys that their removal would affect. Reads only; changes nothing. */
@ConsoleController('reports')
export class ReportsController {
  constructor(
    private readonly deprecations: DeprecationReportService,
    private readonly usage: UsageReportService,
    private readonly keys: ApiKeysService,
    private readonly brownouts: BrownoutsService,
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
          { days: RECENT_DAYS, total: each.count },
        ),
        planPath: `/admin/reports/brownouts?${new URLSearchParams({ operation: each.operation }).toString()}`,
      })),
    );
    return report('deprecations', '/admin/reports', { reports: shown, tones: STATUS_TONES });
  }

  @Get('usage')
  async used(@CurrentRequest() { query }: ConsoleRequest): Promise<ConsolePage> {
    const days = PERIODS.find((period) => String(period) === query.get('days')) ?? 30;
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
      chart: usageChart('calls', daily, { days, total: uses.reduce((sum, { count }) => sum + count, 0) }),
      tones: STATUS_TONES,
      logDays: this.settings.requestLogDays,
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

  @Get('brownouts')
  async plan(@CurrentRequest() { query }: ConsoleRequest): Promise<ConsolePage> {
    const fields = brownoutFields(query);
    const operations = this.deprecations.operations();
    const common = {
      values: { ...fields, operation: fields.operation || (operations[0]?.id ?? '') },
      operations: operations.map(({ id }) => ({ value: id, label: id })),
      basis: ESTIMATE_BASIS,
      today: today(),
      tones: STATUS_TONES,
    };
    if (!query.has('first'))
      return report('brownouts', '/admin/reports/brownouts', { ...common, errors: {} });
    const { plan, errors } = await this.planned(fields);
    return report(
      'brownouts',
      '/admin/reports/brownouts',
      { ...common, plan, errors: errors ?? {} },
      errors ? 422 : 200,
    );
  }

  private async planned(fields: BrownoutFields): Promise<{ plan?: object; errors?: FieldErrors }> {
    const { schedule, errors } = readSchedule(fields);
    if (!schedule) return { errors };
    try {
      const { value } = this.brownouts.plan(fields.operation, schedule);
      const rehearsals = await this.brownouts.rehearse(value);
      const rehearsal = rehearsals.find(({ operation }) => operation === fields.operation);
      if (!rehearsal) throw new Error(`The plan of ${fields.operation} was not rehearsed.`);
      return {
        plan: {
          value,
          response: responseText(rehearsal.answer),
          callers: rehearsal.callers,
          refusals: rehearsal.callers.reduce((sum, { refusals }) => sum + refusals, 0),
          windows: rehearsal.windows.map((window) => ({
            ...window,
            length: duration(Date.parse(window.to) - Date.parse(window.from)),
          })),
        },
      };
    } catch (error) {
      return { errors: formFaults(error).faults };
    }
  }
}

function report(template: string, path: string, data: object, status = 200): ConsolePage {
  const tabs = TABS.map((tab) => ({ ...tab, isCurrent: tab.path === path }));
  return page(`/reports/${template}`, { title: 'Reports', status, data: { ...data, tabs } });
}

function shorten(uses: readonly KeyOperationUsage[]) {
  return { uses: uses.slice(0, MOST_ROWS), left: Math.max(0, uses.length - MOST_ROWS) };
}

function sumOf(uses: readonly DailyUse[]): number {
  return uses.reduce((sum, { count }) => sum + count, 0);
}

/** Formats a response as a client receives it. */
function responseText({ status, headers, body }: ClientResponse): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\n${fields.join('')}\n${JSON.stringify(body, null, 2)}`;
}

/** Texts in the form of a plan, as typed. */
type BrownoutFields = Readonly<Record<'operation' | 'first' | 'last' | 'at' | 'every' | 'lengths', string>>;

/** The fault of each field, if any. */
type FieldErrors = Readonly<Record<string, string>>;

/** Reads the fields from the address, with the usual values of a plan as defaults. */
function brownoutFields(query: URLSearchParams): BrownoutFields {
  const entries = Object.entries(DEFAULTS).map(([name, value]) => [name, query.get(name)?.trim() ?? value]);
  return Object.fromEntries(entries) as BrownoutFields;
}

/** Reads the schedule from the fields, or their faults. */
function readSchedule(
  fields: BrownoutFields,
):
  | { readonly schedule: BrownoutSchedule; readonly errors?: undefined }
  | { readonly errors: FieldErrors; readonly schedule?: undefined } {
  const errors: Record<string, string> = {};
  const read = <T>(name: string, reader: () => T): T | undefined => {
    try {
      return reader();
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      errors[name] = error.message;
      return undefined;
    }
  };
  const first = read('first', () => parseDay(fields.first));
  const last = fields.last === '' ? undefined : read('last', () => parseDay(fields.last));
  const at = read('at', () => parseTimeOfDay(fields.at));
  const everyMs = read('every', () => parseDuration(fields.every));
  const lengthsMs = read('lengths', () =>
    fields.lengths.split(',').map((length) => parseDuration(length.trim())),
  );
  if (Object.keys(errors).length > 0 || !first || !at || !everyMs || !lengthsMs) return { errors };
  return { schedule: { first, last, at, everyMs, lengthsMs } };
}
