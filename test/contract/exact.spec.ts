import fc from 'fast-check';
import { encodeCursor } from '../../src/platform/values/cursor';
import { type Engine, describeEachEngine } from '../support/databases';
import { addSample } from '../support/samples';
import {
  BASE_PATH,
  bodySchema,
  bodyTypes,
  isList,
  operationsOf,
  queryParameters,
  type Schema,
  type ServedDocument,
  type ServedOperation,
  servedDocument,
  targetOf,
} from '../support/served-document';
import { validText } from './support/arbitrary-values';
import { exactValues } from './support/exact-values';
import { ask, creation, field } from './support/request';
import { useService } from './support/service';
import { isRefusedByRule } from './support/rule-errors';
import { surroundings } from './support/surroundings';

/** The same bodies each time; a failure prints seed and path of its smallest one. */
const SEED = 20_301_205;
const RUNS: Record<Engine, number> = { sqlite: 100, postgres: 40 };

/** As long as the operations of every module take, one after the other. */
const TIMEOUT_MS = 600_000;

describeEachEngine('Whatever is', (engine) => {
  const service = useService(engine);
  let document: ServedDocument;
  let operations: ServedOperation[];
  beforeAll(async () => {
    document = await servedDocument(service());
    operations = operationsOf(document);
  });

  it(
    'made is answered, fetched and listed exactly',
    async () => {
      for (const create of operations.filter(({ responses }) => '201' in responses)) {
        const others = operations.filter(({ collection }) => collection === create.path);
        const isFetched = others.some(({ path, method }) => path.endsWith('}') && method === 'GET');
        const list = others.find(isList);
        await forEachBody(create, async (body, sent) => {
          const created = await ask(service(), creation(body, { target: BASE_PATH + create.path }));
          fc.pre(!isRefusedByRule(created, create));
          expect(created.status).toBe(201);
          const location = field(created, 'location') as string;
          const id = BigInt(location.replace(`${BASE_PATH}${create.path}/`, ''));
          expect(valuesOf(created.body, create)).toStrictEqual({ id, ...sent });
          const same = { status: 200, body: created.body };
          if (isFetched) expect(await ask(service(), { target: location })).toMatchObject(same);
          if (list) expect(await listed(list, id, sent)).toEqual({ ...same, body: `[${created.body}]` });
        });
      }
    },
    TIMEOUT_MS,
  );

  it(
    'changed is answered and kept exactly, and nothing else is changed',
    async () => {
      for (const update of operations.filter(
        ({ method, path }) => method === 'PATCH' && path.endsWith('}'),
      )) {
        const id = await addSample(service(), update.collection);
        const [type = ''] = bodyTypes(update);
        let tag = '*';
        const patch = async (body: string) => {
          const headers = { 'Content-Type': type, 'If-Match': tag };
          const target = targetOf(update, id);
          const answer = await ask(service(), { method: 'PATCH', target, body, headers });
          fc.pre(!isRefusedByRule(answer, update));
          expect(answer.status).toBe(200);
          tag = field(answer, 'etag') as string;
          return valuesOf(answer.body, update);
        };
        await forEachBody(update, async (body, sent) => {
          const merged = Object.entries({ ...(await patch('{}')), ...sent });
          const expected = Object.fromEntries(merged.filter(([, value]) => value !== null));
          expect(await patch(body)).toStrictEqual(expected);
          expect(await patch('{}')).toStrictEqual(expected);
        });
      }
    },
    TIMEOUT_MS,
  );

  /** Runs the check with many valid bodies of an operation, as they are sent and as what they mean. */
  async function forEachBody(
    operation: ServedOperation,
    check: (body: string, sent: Record<string, unknown>) => Promise<void>,
  ): Promise<void> {
    const schema = bodySchema(operation) as Schema;
    const around = await surroundings(service(), document, schema);
    // The counterexample tells the operation.
    const bodies = fc.record({ [operation.operationId]: validText(schema, around) });
    await fc.assert(
      fc.asyncProperty(bodies, ({ [operation.operationId]: body = '' }) =>
        check(body, valuesOf(body, operation)),
      ),
      { seed: SEED, numRuns: RUNS[engine] },
    );
  }

  function valuesOf(text: string, operation: ServedOperation): Record<string, unknown> {
    return exactValues(text, bodySchema(operation) as Schema, document);
  }

  /** The one item from this id on in the list of those that have its values wherever the list can be filtered. */
  async function listed(list: ServedOperation, id: bigint, values: Record<string, unknown>) {
    const names = queryParameters(list).map(({ name }) => name);
    const filter = Object.fromEntries(
      names.filter((name) => name in values).map((name) => [name, String(values[name])]),
    );
    const query = new URLSearchParams({ ...filter, limit: '1', cursor: encodeCursor(id - 1n, filter) });
    const { status, body } = await ask(service(), { target: `${BASE_PATH}${list.path}?${query.toString()}` });
    return { status, body };
  }
});
