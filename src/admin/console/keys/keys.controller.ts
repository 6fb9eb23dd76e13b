import { Get, Param } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service';
import { KEY_FILTERS, keyFilter } from '../../../auth/dto/key-filters';
import { KEY_ORDERS, type KeyFilter, type KeyWindow } from '../../../auth/dto/key-search';
import type { KeyView } from '../../../auth/dto/key-view';
import { KeyWarningsService } from '../../../auth/key-warnings.service';
import { UsageService } from '../../../auth/usage/usage.service';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { readSlice } from '../../../platform/database/statements/page';
import { RequestsService } from '../../requests/requests.service';
import { usageChart } from '../charts/usage-chart';
import { UsageReportService } from '../../requests/reports/usage-report.service';
import type { UsageSum } from '../../../auth/dto/operation-usage';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { readFilterQuery } from '../http/filter-query';
import { type ConsolePage, page } from '../../../platform/features/console-page';
import { countText, MAX_COUNT } from '../ui/count-text';
import { filterBarOf } from '../ui/filter-bar';
import { KeyBudgetsReader } from './key-budgets';
import { shownRefusals } from '../requests/refusals';
import { requestsDuring } from '../requests/requests-path';
import { withWords } from '../requests/request-words';
import { STATUS_TONES, warningText } from './key-words';

/** Number of keys on one page. */
const PAGE_SIZE = 50;

/** The list of keys, which is the page above every page about one key. */
export const KEYS = { title: 'API keys', path: '/admin/keys' } as const;

/** Number of days for which the use of a key is shown. */
const USAGE_DAYS = 30;

/** Number of requests on the page of a key. */
const LAST_REQUESTS = 5;

/** The list of API keys and the page of one, for every operator who is signed in. */
@ConsoleController('keys')
export class KeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly warnings: KeyWarningsService,
    private readonly usage: UsageService,
    private readonly reports: UsageReportService,
    private readonly budgets: KeyBudgetsReader,
    private readonly requests: RequestsService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Get()
  async list(@CurrentRequest() request: ConsoleRequest): Promise<ConsolePage> {
    const query = readFilterQuery(KEY_FILTERS, request.query);
    const given = request.query.get('sort') ?? '';
    const sort = orderIn(given) ? given : 'name';
    const after = request.query.get('after') || undefined;
    const order = { by: orderIn(sort) ?? 'name', descending: sort.startsWith('-') };
    const { keys, total, next } = await readKeyListPage(this.keys, keyFilter(query.values), {
      ...order,
      after,
    });
    const successors = await this.keys.successorsOf(keys);
    const data = {
      keys: keys.map((key) => ({
        ...key,
        warnings: this.warnings.about(key),
        successor: successors.get(key.id),
      })),
      countText: total,
      filters: filterBarOf(KEY_FILTERS, query, request),
      sort: sort === 'name' ? undefined : sort,
      tones: STATUS_TONES,
      warningText,
      first: after ? request.addressWith({ after: undefined }) : undefined,
      next: next && request.addressWith({ after: next }),
    };
    return page('/keys/list', { title: KEYS.title, data });
  }

  @Get(':id')
  async show(@Param('id') id: string): Promise<ConsolePage> {
    const key = await this.keys.show(id);
    const [totals, daily, last, refusals] = await Promise.all([
      this.usage.totals({ keyId: id }),
      this.reports.byDay(USAGE_DAYS, { keyId: id }),
      this.requests.list({ keyId: id }, { limit: LAST_REQUESTS }),
      this.requests.refusals({ keyId: id }),
    ]);
    const total = totals.reduce((sum, { count }) => sum + count, 0);
    const data = {
      key,
      ...(await this.kinOf(key)),
      isLast: await this.keys.isLastManaging(id),
      warnings: this.warnings.about(key),
      budgets: await this.budgets.read(key),
      tones: STATUS_TONES,
      warningText,
      totals: totals.sort((a, b) => b.count - a.count),
      recent: byOperation(daily),
      usageDays: USAGE_DAYS,
      chart: usageChart('calls', daily, {
        days: USAGE_DAYS,
        total,
        pathOf: requestsDuring(this.settings.requestLogDays, { key: id }),
      }),
      refusals: shownRefusals(refusals, ['status', 'code'], { key: id }),
      logDays: this.settings.requestLogDays,
      requests: last.items.map(withWords),
    };
    return page('/keys/show', { title: key.name, trail: [KEYS], data });
  }

  /** The other keys in the chain of rotations, oldest first: `older` ones were replaced by it, `newer` ones replaced it. */
  private async kinOf(wanted: KeyView) {
    const keys = await this.keys.ofLineages([wanted]);
    const own = keys.findIndex(({ id }) => id === wanted.id);
    return { older: keys.slice(0, own), newer: keys.slice(own + 1) };
  }
}

/** Numbers of calls by operation. */
function byOperation(daily: readonly UsageSum<'operation'>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { operation, count } of daily) counts.set(operation, (counts.get(operation) ?? 0) + count);
  return counts;
}

/** A page of the list. */
interface KeyListPage {
  readonly keys: readonly KeyView[];
  /** The number of keys on all pages, in words. */
  readonly total: string;
  /** The value of `after` for the next page, if any. */
  readonly next: string | undefined;
}

/** Reads a page of the list. */
async function readKeyListPage(
  keys: Pick<ApiKeysService, 'search' | 'count'>,
  filter: KeyFilter,
  window: KeyWindow,
): Promise<KeyListPage> {
  const [{ items: shown, hasMore }, count] = await Promise.all([
    readSlice(PAGE_SIZE, (limit) => keys.search(filter, { ...window, limit })),
    keys.count(filter, MAX_COUNT + 1),
  ]);
  return {
    keys: shown,
    total: countText({ name: 'API keys', one: 'API key' }, count),
    next: hasMore ? shown.at(-1)?.id : undefined,
  };
}

function orderIn(sort: string): KeyWindow['by'] | undefined {
  return KEY_ORDERS.find((order) => order === sort.replace(/^-/, ''));
}
