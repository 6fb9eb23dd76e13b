import type { ErrorBody } from '../../../src/platform/errors/app-error';
import type { RawResponse } from '../../support/http/raw-http';
import { field } from './request';

/** What an error response must be. */
export interface ExpectedError {
  readonly status: number;
  readonly code: string;
  /** The id the request carried; without one the service makes a UUID. */
  readonly requestId?: string;
  /** What the client sent and the response must not repeat. */
  readonly offending?: readonly string[];
  /** What the message must name. */
  readonly names?: readonly string[];
  /** The response has no body: it is one to HEAD. */
  readonly head?: boolean;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Traces of what stands behind the service. */
const LEAKS =
  /sqlite|postgres|typeorm|\bselect\b|\binsert\b|node_modules|\bat \S+:\d+|Unexpected token|petk_/i;

/** Everything that holds for every response outside 2xx and 3xx, whatever went wrong. */
export function expectContractError(response: RawResponse, expected: ExpectedError): void {
  const { status, code, head = false } = expected;
  expectFields(response, expected);
  if (head) {
    expect(response).toMatchObject({ status, body: '' });
    return;
  }
  const body = JSON.parse(response.body) as ErrorBody;
  expect({ statusLine: response.status, ...body }).toEqual({
    statusLine: status,
    code,
    status,
    message: expect.any(String),
  });
  expectSentence(body.message);
  for (const name of expected.names ?? []) expect(body.message).toContain(name);
  for (const value of expected.offending ?? []) {
    expect(response.raw.toString('latin1')).not.toContain(Buffer.from(value).toString('latin1'));
  }
  expect(field(response, 'content-length')).toBe(String(Buffer.byteLength(response.body)));
}

function expectFields(response: RawResponse, { requestId }: ExpectedError): void {
  expect(field(response, 'content-type')).toBe('application/json; charset=utf-8');
  expect(field(response, 'cache-control')).toBe('no-store');
  expect(field(response, 'x-content-type-options')).toBe('nosniff');
  expect(field(response, 'x-request-id')).toEqual(requestId ?? expect.stringMatching(UUID));
  expect(field(response, 'content-length')).toMatch(/^[1-9]\d*$/);
  expect(Date.parse(field(response, 'date') ?? '')).not.toBeNaN();
  expectNothingGivenAway(response);
}

/** No response says what the service is made of, nor opens it to other origins unasked. */
export function expectNothingGivenAway(response: RawResponse): void {
  const names = [...response.headers.keys()];
  expect(names).not.toContain('x-powered-by');
  expect(names).not.toContain('server');
  expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
}

function expectSentence(message: string): void {
  expect(message).toMatch(/^\S.*\.$/);
  expect(message.match(/[.!?](\s|$)/g)).toHaveLength(1);
  expect(message).not.toMatch(LEAKS);
}
