import fc from 'fast-check';
import type { ErrorBody } from '../../src/platform/errors/app-error';
import { type Engine, describeEachEngine } from '../support/databases';
import type { RawResponse } from '../support/raw-http';
import { addSample } from '../support/samples';
import {
  bodySchema,
  isList,
  operationsOf,
  type ServedDocument,
  type ServedOperation,
  servedDocument,
} from '../support/served-document';
import { requestsNear } from './support/arbitrary-requests';
import { expectContractError } from './support/expect-error';
import { ask, field, type WireRequest } from './support/request';
import { SchemaCheck } from './support/schema-check';
import { useService } from './support/service';
import { surroundings } from './support/surroundings';

/** The same requests each time; a failure prints seed and path of its smallest one. */
const SEED = 20_301_205;
const RUNS: Record<Engine, number> = { sqlite: 300, postgres: 100 };

/** As long as the operations of every module take, one after the other. */
const TIMEOUT_MS = 600_000;

describeEachEngine('Whatever is sent', (engine) => {
  const service = useService(engine);
  let document: ServedDocument;
  let check: SchemaCheck;
  beforeAll(async () => {
    document = await servedDocument(service());
    check = new SchemaCheck(document);
  });

  it(
    'the answer is a documented one, and no answer is a fault',
    async () => {
      for (const operation of operationsOf(document)) {
        const around = await surroundings(service(), document, bodySchema(operation));
        const listed = isList(operation) ? 3 : 0;
        for (let i = 0; i < listed; i++) await addSample(service(), operation.collection);
        const statuses: number[] = [];
        let id: number | undefined;
        await fc.assert(
          fc.asyncProperty(requestsNear(operation, around), async (template) => {
            // A deleted one is replaced.
            if (operation.isOfItem) id ??= await addSample(service(), operation.collection);
            const request = withId(template, id);
            const answer = await ask(service(), request);
            if (request.method === 'DELETE' && answer.status === 204) id = undefined;
            statuses.push(answer.status);
            expectDocumented(answer, request, operation);
          }),
          { seed: SEED, numRuns: RUNS[engine] },
        );
        expectVariety(statuses, operation);
      }
    },
    TIMEOUT_MS,
  );

  function expectDocumented(answer: RawResponse, request: WireRequest, operation: ServedOperation): void {
    const { status } = answer;
    expect(status).toBeLessThan(500);
    if (status >= 400) expectErrorResponse(answer, request);
    const isOwn = request.method === operation.method;
    if (!isOwn || status === 304) return;
    const response = operation.responses[status] ?? operation.responses['default'];
    const schema = response?.content?.['application/json']?.schema;
    if (schema) expect(check.faults(answer.body, schema)).toEqual([]);
    else expect({ status, body: answer.body }).toEqual({ status: 204, body: '' });
  }
});

function withId({ target = '', ...request }: WireRequest, id: number | undefined): WireRequest {
  return { ...request, target: target.replace(/\{\w+\}/, String(id)) };
}

/** Requests that are all refused at the door would prove nothing. */
function expectVariety(statuses: readonly number[], { operationId }: ServedOperation): void {
  const carriedOut = statuses.filter((status) => status < 300).length;
  const counts = { carriedOut, refused: statuses.length - carriedOut };
  const rare = Object.entries(counts).filter(([, count]) => count <= statuses.length / 10);
  const missing = [400, 401].filter((status) => !statuses.includes(status));
  expect({ operationId, rare, missing }).toEqual({ operationId, rare: [], missing: [] });
}

function expectErrorResponse(answer: RawResponse, { method, headers = {} }: WireRequest): void {
  const { status } = answer;
  const sent = headers['X-Request-Id'];
  const requestId = typeof sent === 'string' && /^[\w.-]{1,128}$/.test(sent.trim()) ? sent.trim() : undefined;
  const head = method === 'HEAD';
  const code = head ? '' : (JSON.parse(answer.body) as ErrorBody).code;
  // What the parser refuses has no request to take an id from.
  const echoed = field(answer, 'x-request-id') === requestId || code !== 'bad_request';
  expectContractError(answer, {
    status,
    code,
    head,
    ...(requestId !== undefined && echoed && { requestId }),
  });
}
