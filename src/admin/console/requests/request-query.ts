import { OUTCOMES } from '../../../platform/request-log/outcome';
import type { RequestFilter } from '../../../platform/request-log/request-log.repository';
import { readDateTime } from '../../../platform/values/text-formats';
import type { RequestsService } from '../../requests/requests.service';
import { readRowId } from '../http/row-id';

/** Value of the field `key` for requests without a key that was accepted. */
export const NO_KEY = 'none';

/** Names of the form's fields. */
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

/** Fields of the form below its first line. */
const MORE: readonly Name[] = ['status', 'code', 'key', 'address', 'node', 'slow', 'from', 'to'];

const INSTANT_FAULT = 'Write the time as 2027-01-31T12:00.';

/** The filters and the position in the request log that an address asks for. */
export interface RequestQuery {
  /** Texts as typed, by the names of the fields. */
  readonly values: Readonly<Record<Name, string>>;
  /** Faults by field; a field at fault does not filter. */
  readonly errors: Readonly<Partial<Record<Name, string>>>;
  readonly filter: RequestFilter;
  /** Restricts the list to requests older than the one with this id. */
  readonly before: bigint | undefined;
  /** True if a field below the first line of the form is filled in. */
  readonly hasMore: boolean;
}

/** Reads the filters of an address. */
export function readRequestQuery(
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
      keyId: values.key === NO_KEY ? { isSet: false } : values.key || undefined,
      address: values.address || undefined,
      node: values.node || undefined,
      durationMs: { from: number('slow', /^\d{1,7}$/, 'Write a whole number of milliseconds.') },
      at: { from: instant('from'), before: instant('to') },
    },
    before: readRowId(query.get('before') ?? ''),
    hasMore: MORE.some((name) => values[name] !== ''),
  };
}
