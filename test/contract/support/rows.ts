import type { RawResponse } from '../../support/http/raw-http';
import { expectContractError } from './expect-error';
import { ask, field, freshRequestId, type Target, type WireRequest } from './request';

/** One request that must be refused, and how. */
export interface Refusal {
  /** What is wrong with the request; the title of the test. */
  readonly of: string;
  readonly request: WireRequest;
  readonly status: number;
  readonly code: string;
  /** Header fields the response must have, by name. */
  readonly fields?: Readonly<Record<string, string | RegExp>>;
  /** What the message must name. */
  readonly names?: readonly string[];
  /** What the response must not repeat. */
  readonly offending?: readonly string[];
}

/** Makes one test of each refusal; the title is "refuses ... with 400 code". */
export function itRefuses(service: () => Target, refusals: readonly Refusal[]): void {
  it.each(refusals.map((refusal) => ({ ...refusal, response: `${refusal.status} ${refusal.code}` })))(
    'refuses $of with $response',
    async (refusal) => {
      await expectRefused(service(), refusal);
    },
  );
}

/** Sends the request of a refusal, with a request id of its own, and judges the response. */
export async function expectRefused(service: Target, refusal: Omit<Refusal, 'of'>): Promise<RawResponse> {
  const { request, fields = {} } = refusal;
  const requestId = freshRequestId();
  const response = await ask(service, {
    ...request,
    headers: { ...request.headers, 'X-Request-Id': requestId },
  });
  expectContractError(response, { ...refusal, requestId, head: request.method === 'HEAD' });
  for (const [name, value] of Object.entries(fields)) {
    expect(field(response, name)).toEqual(typeof value === 'string' ? value : expect.stringMatching(value));
  }
  return response;
}
