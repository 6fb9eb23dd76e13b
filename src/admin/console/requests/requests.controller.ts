import { Get, Param } from '@nestjs/common';
import { OUTCOMES } from '../../../platform/request-log/outcome';
import type { RequestFilter } from '../../../platform/request-log/request-log.repository';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { readDateTime } from '../../../platform/values/text-formats';
import { LoggedRequestNotFoundError } from '../../requests/requests.errors';
import { RequestsService } from '../../requests/requests.service';
import { ConsoleController } from '../console-controller.decorator';
import { type ConsoleRequest, CurrentRequest, LIVE, RELOADED } from '../console-request';
import { type Page, page, seeOther, type SeeOther } from '../page';
import { OUTCOME_WORDS, withWords } from './request-words';
import { waterfall } from './waterfall';

/** The page above that of one request. */
export const REQUESTS = { title: 'Requests', path: '/admin/requests' } as const;

/** Requests on one page. */
const PAGE_SIZE = 50;

const OUTCOME_CHOICES = OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value].label }));

/** What became of requests on the public port. */
@ConsoleController('requests')
export class RequestsController {
  constructor(
    private readonly requests: RequestsService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Get()
  async list(@CurrentRequest() request: ConsoleRequest): Promise<Page | SeeOther> {
    const query = readRequestQuery(request.query, this.requests);
    const { filter, before } = query;
    const { items, next, lookedBackTo } = await this.requests.list(filter, { before, limit: PAGE_SIZE });
    // An operator who looks for the id that a client has quoted wants the request, not a list of one.
    const [found] = items;
    const isQuoted = filter.requestId !== undefined && items.length === 1 && next === undefined;
    if (found && isQuoted) return seeOther(withWords(found).path);
    const isLive = request.query.has(LIVE);
    const data = {
      ...query,
      requests: items.map(withWords),
      outcomes: [{ value: '', label: 'Any' }, ...OUTCOME_CHOICES],
      operations: [
        { value: '', label: 'Any' },
        ...this.requests.operationNames.map((name) => ({ value: name, label: name })),
      ],
      isOn: this.settings.requestLogDays > 0,
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
  async show(@Param('id') text: string): Promise<Page> {
    const id = readRowId(text);
    if (id === undefined) throw new LoggedRequestNotFoundError();
    const { timeline, ...entry } = await this.requests.get(id);
    const request = withWords(entry);
    const data = { entry: request, waterfall: timeline && waterfall(timeline, entry.durationMs) };
    return page('/requests/show', { title: request.target, trail: [REQUESTS], data });
  }
}

/** The fields of the form. */
const FIELDS = [
  'request',
  'outcome',
  'operation',
  'status',
  'code',
  'key',
  'address',
  'node',
  'slow',
  'from',
  'to',
] as const;

type Name = (typeof FIELDS)[number];

/** What stands in the form apart from its first line. */
const MORE: readonly Name[] = ['status', 'code', 'key', 'address', 'node', 'slow', 'from', 'to'];

const INSTANT_FAULT = 'Write the time as 2027-01-31T12:00.';

/** What an address asks of the request log. */
interface RequestQuery {
  /** As typed, by the names of the fields. */
  readonly values: Readonly<Record<Name, string>>;
  /** What is wrong with a field; a field at fault does not count. */
  readonly errors: Readonly<Partial<Record<Name, string>>>;
  readonly filter: RequestFilter;
  /** Only requests older than the one with this id. */
  readonly before: bigint | undefined;
  /** Whether a field is filled in that is not on the first line of the form. */
  readonly hasMore: boolean;
}

/** Reads the filters of an address. */
function readRequestQuery(
  query: URLSearchParams,
  service: Pick<RequestsService, 'operationNames' | 'filterOf'>,
): RequestQuery {
  const values = Object.fromEntries(FIELDS.map((name) => [name, query.get(name)?.trim() ?? ''])) as Record<
    Name,
    string
  >;
  const errors: Partial<Record<Name, string>> = {};
  const number = (name: Name, pattern: RegExp, fault: string) => {
    if (values[name] === '') return undefined;
    if (pattern.test(values[name])) return Number(values[name]);
    errors[name] = fault;
    return undefined;
  };
  const instant = (name: Name) => {
    if (values[name] === '') return undefined;
    const found = readDateTime(`${values[name]}${values[name].length === 16 ? ':00' : ''}Z`);
    if (!found) errors[name] = INSTANT_FAULT;
    return found;
  };
  const operation = service.operationNames.find((name) => name === values.operation);
  return {
    values,
    errors,
    filter: {
      requestId: values.request || undefined,
      outcome: OUTCOMES.find((outcome) => outcome === values.outcome),
      ...(operation !== undefined && service.filterOf(operation)),
      status: number('status', /^[1-5]\d\d$/, 'Write the status as 404.'),
      code: values.code || undefined,
      keyId: values.key || undefined,
      address: values.address || undefined,
      node: values.node || undefined,
      minDurationMs: number('slow', /^\d{1,7}$/, 'Write a whole number of milliseconds.'),
      from: instant('from'),
      to: instant('to'),
    },
    before: readRowId(query.get('before') ?? ''),
    hasMore: MORE.some((name) => values[name] !== ''),
  };
}

/** The id of a row of the log. @returns undefined for what is none */
function readRowId(text: string): bigint | undefined {
  return /^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined;
}
