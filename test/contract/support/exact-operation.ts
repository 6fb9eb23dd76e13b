import fc from 'fast-check';
import { encodeCursor, PART_LENGTH } from '../../../src/platform/values/cursor';
import { addParents, addSample } from '../../support/samples/samples';
import {
  bodySchema,
  bodyTypes,
  isList,
  operationsOf,
  type PathValues,
  queryParameters,
  resolveSchema,
  type Schema,
  type ServedOperation,
  targetOf,
} from '../../support/service/served-document';
import { validText } from './arbitrary-values';
import { exactValues } from './exact-values';
import { ask, creation, field } from './request';
import { isRefusedByRule } from './rule-errors';
import { surroundings } from './surroundings';
import { SEED, type TriedOperation } from './tried-operation';

/** Makes items of many bodies: each is returned, fetched and listed as it was sent, to the digit. */
export async function expectMadeExactly(tried: TriedOperation, numRuns: number): Promise<void> {
  const { service, document, operation } = tried;
  const others = operationsOf(document).filter(({ collection }) => collection === operation.path);
  const isFetched = others.some(({ path, method }) => path.endsWith('}') && method === 'GET');
  const list = others.find(isList);
  const isNested = operation.path.includes('{');
  let parents = await addParents(service, operation.path);
  await forEachBody(tried, numRuns, async (body, sent) => {
    // The list of a new parent has one item, wherever its pages would begin.
    if (isNested && list) parents = await addParents(service, operation.path);
    const target = targetOf(operation.path, parents);
    const created = await ask(service, creation(body, { target }));
    fc.pre(!isRefusedByRule(created, operation));
    expect({ status: created.status, body: created.body }).toMatchObject({ status: 201 });
    const location = field(created, 'location') as string;
    const id = BigInt(location.replace(`${target}/`, ''));
    expect(membersOf(created.body, tried)).toStrictEqual({ ...defaultsOf(tried), ...sent, id });
    const same = { status: 200, body: created.body };
    if (isFetched) expect(await ask(service, { target: location })).toMatchObject(same);
    if (!list) return;
    const query = isNested ? '' : `?${await pageOf(tried, target, list, id, sent)}`;
    const { status, body: listed } = await ask(service, { target: target + query });
    expect({ status, body: listed }).toEqual({ ...same, body: `[${created.body}]` });
  });
}

/** Changes an item by many bodies: each member is returned and kept as it was sent, and no other is changed. */
export async function expectChangedExactly(tried: TriedOperation, numRuns: number): Promise<void> {
  const { service, operation } = tried;
  const { collection, itemParameter = '' } = operation;
  const parents: PathValues = await addParents(service, collection);
  const id = await addSample(service, collection, parents);
  const target = targetOf(operation.path, { ...parents, [itemParameter]: id });
  const [type = ''] = bodyTypes(operation);
  let tag = '*';
  const patch = async (body: string) => {
    const headers = { 'Content-Type': type, 'If-Match': tag };
    const response = await ask(service, { method: 'PATCH', target, body, headers });
    fc.pre(!isRefusedByRule(response, operation));
    expect({ status: response.status, body: response.body }).toMatchObject({ status: 200 });
    tag = field(response, 'etag') as string;
    return membersOf(response.body, tried);
  };
  await forEachBody(tried, numRuns, async (body, sent) => {
    const merged = Object.entries({ ...(await patch('{}')), ...sent });
    const expected = Object.fromEntries(merged.filter(([, value]) => value !== null));
    expect(await patch(body)).toStrictEqual(expected);
    expect(await patch('{}')).toStrictEqual(expected);
  });
}

/** Runs the check with many valid bodies of an operation, as they are sent and as what they mean. */
async function forEachBody(
  { service, document, operation }: TriedOperation,
  numRuns: number,
  check: (body: string, sent: Record<string, unknown>) => Promise<void>,
): Promise<void> {
  const schema = bodySchema(operation) as Schema;
  const around = await surroundings(service, document, operation);
  // The counterexample tells the operation.
  const bodies = fc.record({ [operation.operationId]: validText(schema, around) });
  await fc.assert(
    fc.asyncProperty(bodies, async ({ [operation.operationId]: template = '' }) => {
      const { body } = await around.filledIn({ body: template }, {});
      await check(String(body), exactValues(String(body), schema, document));
    }),
    { seed: SEED, numRuns },
  );
}

/** The members of a response that a body has as well, and the id. */
function membersOf(text: string, { operation, document }: TriedOperation): Record<string, unknown> {
  const schema = bodySchema(operation) as Schema;
  const { properties = {} } = resolveSchema(schema, document);
  const values = exactValues(text, schema, document);
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in properties || name === 'id'));
}

/** What stands for members that are left out. */
function defaultsOf({ operation, document }: TriedOperation): Record<string, unknown> {
  const schema = bodySchema(operation) as Schema;
  const { properties = {} } = resolveSchema(schema, document);
  const defaults = Object.entries(properties)
    .map(([name, member]) => [name, resolveSchema(member, document).default] as const)
    .filter(([, value]) => value !== undefined);
  return exactValues(JSON.stringify(Object.fromEntries(defaults)), schema, document);
}

/**
 * The query of the page of the one item from this id on, of those that have its values wherever the list can be filtered by them.
 * The end of its cursor is that of the list, which may keep more than the query says: its owner's rows alone.
 */
async function pageOf(
  { service }: TriedOperation,
  target: string,
  list: ServedOperation,
  id: bigint,
  values: Record<string, unknown>,
): Promise<string> {
  const names = queryParameters(list).map(({ name }) => name);
  const filter = names.filter((name) => name in values).map((name) => [name, String(values[name])]);
  const query = new URLSearchParams([...filter, ['limit', '1']]);
  const first = await ask(service, { target: `${target}?${query.toString()}` });
  const [, next] = /[?&]cursor=([\w-]+)/.exec(field(first, 'link') ?? '') ?? [];
  if (next) query.set('cursor', encodeCursor(id - 1n, {}).slice(0, PART_LENGTH) + next.slice(PART_LENGTH));
  return query.toString();
}
