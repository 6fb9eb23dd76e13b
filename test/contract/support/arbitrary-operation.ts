import fc from 'fast-check';
import type { ErrorBody } from '../../../src/platform/errors/app-error';
import type { RawResponse } from '../../support/http/raw-http';
import { addParents, addSample } from '../../support/samples/samples';
import { isList, type ServedOperation } from '../../support/service/served-document';
import { requestsNear } from './arbitrary-requests';
import { expectContractError } from './expect-error';
import { ask, field, type WireRequest } from './request';
import { SchemaCheck } from './schema-check';
import { surroundings } from './surroundings';
import { SEED, type TriedOperation } from './tried-operation';

/** Sends made-up requests to an operation: each response must be a documented one, and none a fault. */
export async function expectDocumentedWhateverIsSent(tried: TriedOperation, numRuns: number): Promise<void> {
  const { service, document, operation } = tried;
  const { collection, itemParameter } = operation;
  const check = new SchemaCheck(document);
  const parents = await addParents(service, collection);
  const around = await surroundings(service, document, operation);
  for (let i = 0; i < (isList(operation) ? 3 : 0); i++) await addSample(service, collection, parents);
  const statuses: number[] = [];
  let id: number | undefined;
  await fc.assert(
    fc.asyncProperty(requestsNear(operation, around), async (template) => {
      // A deleted one is replaced.
      if (itemParameter !== undefined) id ??= await addSample(service, collection, parents);
      const values = { ...parents, ...(itemParameter !== undefined && { [itemParameter]: id }) };
      const request = await around.filledIn(template, values);
      const response = await ask(service, request);
      if (request.method === 'DELETE' && response.status === 204) id = undefined;
      statuses.push(response.status);
      expectDocumented(response, request, operation, check);
    }),
    { seed: SEED, numRuns },
  );
  expectVariety(statuses, operation);
}

function expectDocumented(
  response: RawResponse,
  request: WireRequest,
  operation: ServedOperation,
  check: SchemaCheck,
): void {
  const { status } = response;
  expect(status).toBeLessThan(500);
  if (status >= 400) expectErrorResponse(response, request);
  const isOwn = request.method === operation.method;
  if (!isOwn) return;
  if (status === 304) {
    expect({ documented: operation.responses[304], body: response.body }).toMatchObject({
      documented: {},
      body: '',
    });
    return;
  }
  const documented = operation.responses[status] ?? operation.responses['default'];
  const schema = documented?.content?.['application/json']?.schema;
  if (schema) expect(check.faults(response.body, schema)).toEqual([]);
  else expect({ status, body: response.body }).toEqual({ status: 204, body: '' });
}

/** Requests that are all refused at the door would prove nothing. */
function expectVariety(statuses: readonly number[], { operationId }: ServedOperation): void {
  const carriedOut = statuses.filter((status) => status < 300).length;
  const counts = { carriedOut, refused: statuses.length - carriedOut };
  const rare = Object.entries(counts).filter(([, count]) => count <= statuses.length / 10);
  const missing = [400, 401].filter((status) => !statuses.includes(status));
  expect({ operationId, rare, missing }).toEqual({ operationId, rare: [], missing: [] });
}

function expectErrorResponse(response: RawResponse, { method, headers = {} }: WireRequest): void {
  const { status } = response;
  const sent = headers['X-Request-Id'];
  const requestId = typeof sent === 'string' && /^[\w.-]{1,128}$/.test(sent.trim()) ? sent.trim() : undefined;
  const head = method === 'HEAD';
  const code = head ? '' : (JSON.parse(response.body) as ErrorBody).code;
  // What the parser refuses has no request to take an id from.
  const echoed = field(response, 'x-request-id') === requestId || code !== 'bad_request';
  expectContractError(response, {
    status,
    code,
    head,
    ...(requestId !== undefined && echoed && { requestId }),
  });
}
