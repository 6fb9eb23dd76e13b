import { conditionsOf } from '../../platform/database/statements/where';
import type { Outcome } from '../../platform/request-log/outcome';
import type { RequestFilter } from '../../platform/request-log/request-log.repository';
import { type AdminFilter, labelled, TIMES } from '../../platform/validation/admin-filter';
import { InvalidValueError } from '../../platform/values/written-values';

/** Labels of outcomes. */
export const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  succeeded: 'Succeeded',
  refused: 'Refused (4xx)',
  failed: 'Failed (5xx)',
  aborted: 'Aborted by the client',
};

/** Value of the filter by key for requests without a key that was accepted. */
export const NO_KEY = 'none';

const NUMERIC = { inputmode: 'numeric' };

/** The filters of the request log, for the console and the commands. */
export const REQUEST_FILTERS: readonly AdminFilter[] = [
  {
    name: 'request',
    field: 'requestId',
    label: 'X-Request-Id',
    values: { type: 'search' },
    placeholder: 'as the client quotes it',
    option: '--request <id>',
    help: 'only requests with this X-Request-Id',
  },
  {
    name: 'outcome',
    field: 'outcome',
    operator: 'in',
    label: 'Outcome',
    values: labelled(OUTCOME_LABELS),
    option: '--outcome <outcome>',
    help: 'only requests with this outcome',
  },
  {
    name: 'operation',
    field: 'operation',
    label: 'Operation',
    option: '--operation <name>',
    help: 'only requests of an operation: getPet or "GET /v1/pets/{petId}"',
  },
  {
    name: 'status',
    field: 'status',
    operator: 'in',
    label: 'Status',
    values: { read: parseStatus, attributes: NUMERIC },
    placeholder: '404, 429',
    isMore: true,
    option: '--status <number>',
    help: 'only requests with this HTTP status',
  },
  {
    name: 'code',
    field: 'code',
    operator: 'in',
    label: 'Error code',
    placeholder: 'rate_limited',
    isMore: true,
    option: '--code <code>',
    help: 'only requests with this error code, such as rate_limited',
  },
  {
    name: 'key',
    field: 'keyId',
    label: 'Key',
    values: { read: parseKey },
    placeholder: 'key_… or none',
    isMore: true,
    option: '--key <id>',
    help: 'only requests with the API key of this id; "none" for requests without an accepted key',
  },
  {
    name: 'address',
    field: 'address',
    label: 'Address',
    placeholder: '192.0.2.1',
    isMore: true,
    option: '--address <address>',
    help: 'only requests from this IP address',
  },
  {
    name: 'node',
    field: 'node',
    label: 'Node',
    isMore: true,
    option: '--node <name>',
    help: 'only requests that this node served',
  },
  {
    name: 'slow',
    field: 'durationMs',
    operator: 'from',
    label: 'At least, ms',
    values: { read: parseMilliseconds, attributes: NUMERIC },
    placeholder: '250',
    isMore: true,
    option: '--min-duration <ms>',
    help: 'only requests that took this many milliseconds or longer',
  },
  {
    name: 'from',
    field: 'at',
    operator: 'from',
    label: 'From (UTC)',
    values: TIMES,
    isMore: true,
    option: '--from <time>',
    help: 'from this time on: 2026-01-31 or 2026-01-31T12:00:00Z',
  },
  {
    name: 'to',
    field: 'at',
    operator: 'before',
    label: 'To (UTC)',
    values: TIMES,
    isMore: true,
    option: '--to <time>',
    help: 'before this instant',
  },
];

/** Conditions for requests, also by the name of an operation. */
export interface OperationFilter extends RequestFilter {
  /** The operationId, or method and route: `GET /v1/pets/{petId}`. */
  readonly operation?: string | undefined;
}

/** Returns the conditions on requests for the values of filters, by their names. */
export function requestFilter(values: Readonly<Record<string, unknown>>): OperationFilter {
  return conditionsOf(REQUEST_FILTERS, values);
}

function parseKey(text: string): RequestFilter['keyId'] {
  return text === NO_KEY ? { isSet: false } : text;
}

/** @throws InvalidValueError */
function parseStatus(text: string): number {
  if (!/^[1-5]\d\d$/.test(text)) throw new InvalidValueError('Write the status as 404.');
  return Number(text);
}

/** @throws InvalidValueError */
function parseMilliseconds(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidValueError('Write a whole number of milliseconds.');
  return Number(text);
}
