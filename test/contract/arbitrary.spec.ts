import fc from 'fast-check';
import type { ErrorBody } from '../../src/platform/errors/app-error';
import { encodeCursor } from '../../src/platform/http/cursor';
import { readJson } from '../../src/platform/http/json-reader';
import { type Engine, describeEachEngine } from '../support/databases';
import type { RawAnswer } from '../support/raw-http';
import { requestsNear } from './support/arbitrary-requests';
import { expectContractError } from './support/expect-error';
import { ask, creation, field, type WireRequest } from './support/request';
import { SchemaCheck } from './support/schema-check';
import {
  operationsOf,
  type ServedDocument,
  type ServedOperation,
  servedDocument,
} from './support/served-document';
import { useService } from './support/service';

/** The same requests each time; a failure prints seed and path of its smallest one. */
const SEED = 20_301_205;
const RUNS: Record<Engine, number> = { sqlite: 300, postgres: 60 };

describeEachEngine('Whatever is sent', (engine) => {
  const service = useService(engine);
  let document: ServedDocument;
  let check: SchemaCheck;
  beforeAll(async () => {
    document = await servedDocument(service());
    check = new SchemaCheck(document);
    for (let i = 0; i < 3; i++) await service().post('/v1/pets', { name: 'pet', categoryId: i });
  });

  it('the answer is a documented one, and no answer is a fault', async () => {
    for (const operation of operationsOf(document)) {
      const statuses: number[] = [];
      await fc.assert(
        fc.asyncProperty(requestsNear(operation, document), async (request) => {
          const answer = await ask(service(), request);
          statuses.push(answer.status);
          expectDocumented(answer, request, operation);
        }),
        { seed: SEED, numRuns: RUNS[engine] },
      );
      // Requests that are all refused at the door would prove nothing.
      const carriedOut = statuses.filter((status) => status < 300).length;
      expect(carriedOut).toBeGreaterThan(RUNS[engine] / 10);
      expect(statuses.length - carriedOut).toBeGreaterThan(RUNS[engine] / 10);
      expect(statuses).toEqual(expect.arrayContaining([400, 401]));
    }
  }, 60_000);

  function expectDocumented(answer: RawAnswer, request: WireRequest, operation: ServedOperation): void {
    const { status } = answer;
    expect(status).toBeLessThan(500);
    if (status >= 400) expectErrorAnswer(answer, request);
    const isOwn = request.method === operation.method;
    if (!isOwn || status === 304) return;
    const response = operation.responses[status] ?? operation.responses['default'];
    const schema = response?.content?.['application/json']?.schema;
    if (!schema) throw new Error(`${operation.operationId} has no schema for its ${status}.`);
    expect(check.faults(answer.body, schema)).toEqual([]);
  }
});

function expectErrorAnswer(answer: RawAnswer, { method, headers = {} }: WireRequest): void {
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

describeEachEngine('Whatever pet is made', (engine) => {
  const service = useService(engine);
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const name = fc
    .oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.string({ minLength: 500, maxLength: 900 }),
    )
    .map((text) => text.replaceAll('\0', '').toWellFormed());
  const status = fc.constantFrom(undefined, 'available', 'pending', 'sold');

  it('is answered, fetched and listed exactly', async () => {
    await fc.assert(
      fc.asyncProperty(name, int64, status, async (petName, categoryId, petStatus) => {
        const state = petStatus && `,"status":"${petStatus}"`;
        const body = `{"name":${JSON.stringify(petName)},"categoryId":${categoryId}${state ?? ''}}`;
        const created = await ask(service(), creation(body));
        expect(created.status).toBe(201);
        const location = field(created, 'location') as string;
        const id = BigInt(location.replace('/v1/pets/', ''));
        expect(readJson(Buffer.from(created.body))).toStrictEqual({
          id,
          name: petName,
          categoryId,
          ...(petStatus && { status: petStatus }),
        });
        expect(await ask(service(), { target: location })).toMatchObject({ status: 200, body: created.body });
        const filter: Record<string, string> = petStatus ? { status: petStatus } : {};
        const query = new URLSearchParams({ ...filter, limit: '1', cursor: encodeCursor(id - 1n, filter) });
        const list = await ask(service(), { target: `/v1/pets?${query.toString()}` });
        expect([list.status, list.body]).toEqual([200, `[${created.body}]`]);
      }),
      { seed: SEED, numRuns: RUNS[engine] / 3 },
    );
  }, 60_000);
});
