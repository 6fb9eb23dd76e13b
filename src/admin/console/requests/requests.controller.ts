import { Get, Param } from '@nestjs/common';
import type { AdminFilter } from '../../../platform/validation/admin-filter';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { REQUEST_FILTERS, requestFilter } from '../../requests/request-filters';
import { LoggedRequestNotFoundError } from '../../requests/requests.errors';
import { RequestsService } from '../../requests/requests.service';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest, LIVE, RELOADED } from '../http/console-request';
import { readFilterQuery } from '../http/filter-query';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { readRowId } from '../http/row-id';
import { filterBarOf } from '../ui/filter-bar';
import { withWords } from './request-words';
import { databaseText, waterfall } from './waterfall';

/** The list of requests, which is the page above that of one request. */
export const REQUESTS = { title: 'Requests', path: '/admin/requests' } as const;

/** Value of the parameter `sort` that lists the slowest requests first. */
const SLOWEST = '-duration';

/** Number of requests on one page. */
const PAGE_SIZE = 50;

/** The list of logged requests and the page of one. */
@ConsoleController('requests')
export class RequestsController {
  constructor(
    private readonly requests: RequestsService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Get()
  async list(@CurrentRequest() request: ConsoleRequest): Promise<ConsolePage | SeeOther> {
    const filters = this.filters();
    const query = readFilterQuery(filters, request.query);
    const filter = requestFilter(query.values);
    const before = readRowId(request.query.get('before') ?? '');
    const isBySlowness = request.query.get('sort') === SLOWEST;
    const { items, lookedBackTo, next } = isBySlowness
      ? { ...(await this.requests.slowest(filter, PAGE_SIZE)), next: undefined }
      : await this.requests.list(filter, { before, limit: PAGE_SIZE });
    // An operator who searches for the id that a client has quoted wants the request, not a list of one.
    const [found] = items;
    const isQuoted = filter.requestId !== undefined && items.length === 1 && next === undefined;
    if (found && isQuoted) return seeOther(withWords(found).path);
    const isLive = request.query.has(LIVE);
    const data = {
      filters: filterBarOf(filters, query, request),
      requests: items.map(withWords),
      slowest: {
        order: isBySlowness ? 'descending' : 'none',
        path: request.addressWith({ sort: isBySlowness ? undefined : SLOWEST, before: undefined }),
      },
      isBySlowness,
      isOn: this.settings.requestLogDays > 0,
      days: this.settings.requestLogDays,
      isLive,
      live: request.addressWith({ [LIVE]: isLive ? undefined : '1', before: undefined }),
      reload: request.addressWith({ [LIVE]: RELOADED }),
      now: new Date().toISOString().slice(11, 19),
      lookedBackTo,
      first: before === undefined ? undefined : request.addressWith({ before: undefined }),
      next: next === undefined ? undefined : request.addressWith({ before: String(next), [LIVE]: undefined }),
    };
    return page('/requests/list', { title: REQUESTS.title, data });
  }

  @Get(':id')
  async show(@Param('id') text: string, @CurrentRequest() operator: ConsoleRequest): Promise<ConsolePage> {
    const id = readRowId(text);
    if (id === undefined) throw new LoggedRequestNotFoundError();
    const { timeline, ...entry } = await this.requests.get(id);
    const request = withWords(entry);
    const scopes = entry.code === 'insufficient_scope' ? await this.requests.scopesOf(entry) : undefined;
    const data = {
      entry: request,
      scopes: scopes && {
        ...scopes,
        missing: scopes.needed.filter((each) => !scopes.key.scopes.includes(each)),
      },
      mayChangeKeys: operator.mayChange('admin:keys'),
      database: timeline && databaseText(timeline),
      waterfall: timeline && waterfall(timeline, entry.durationMs),
    };
    return page('/requests/show', { title: request.target, trail: [REQUESTS], data });
  }

  /** The filters, with the operations that there are. */
  private filters(): AdminFilter[] {
    const operations = this.requests.operationNames.map((name) => ({ value: name, label: name }));
    return REQUEST_FILTERS.map((filter) =>
      filter.name === 'operation' ? { ...filter, values: { choices: operations } } : filter,
    );
  }
}
