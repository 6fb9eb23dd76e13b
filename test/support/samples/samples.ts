import type { ColumnType, EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { ownerColumnOf } from '../../../src/platform/database/column-types';
import { Database } from '../../../src/platform/database/database';
import { type AddSample, collectionSamples, type Members } from './module-samples';
import {
  bodySchema,
  objectArraysOf,
  operationsOf,
  parametersIn,
  type PathValues,
  referenceArraysOf,
  referencesOf,
  resolveSchema,
  type Schema,
  type ServedOperation,
  servedDocument,
  targetOf,
} from '../service/served-document';
import type { TestService } from '../service/service';
import { uniqueMembers } from './unique-values';

/** A value of each type of column. */
const VALUES: ReadonlyMap<ColumnType, unknown> = new Map<ColumnType, unknown>([
  ['bigint', 1n],
  ['integer', 1],
  ['double precision', 1.5],
  ['numeric', '1'],
  ['boolean', true],
  ['text', 'text'],
  ['date', '2026-01-31'],
  [Date, new Date('2026-01-31T09:30:00Z')],
  ['uuid', '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e'],
]);

/**
 * Adds an item to a collection (`/orders`) whatever its fields are, and before it the items it refers to: by POST with the
 * document's example and the samples of its module where the collection has one, straight into its table otherwise.
 *
 * @param collection its path, or its last segment after a slash
 * @param parents values of the parameters of its path, from {@link addParents}; made unless given
 * @param members of its body, in place of the example's
 * @returns its id; a test's ids are small enough for a number
 * @throws Error when the service refuses it, or the collection has neither POST nor a table
 */
export function addSample(
  service: TestService,
  collection: string,
  parents?: PathValues,
  members?: Members,
): Promise<number> {
  return add(service, collection, 'all', parents, members);
}

/** Adds an item for each reference a body of this schema can hold; gives their ids by the name of the member. */
export function addReferences(service: TestService, schema: Schema): Promise<Record<string, number>> {
  return referTo(service, schema, 'all');
}

/** Adds the items that stand before a nested collection (`/pets/{petId}/vaccination-records`); gives what its parameters are. */
export async function addParents(service: TestService, collection: string): Promise<PathValues> {
  const values: Record<string, unknown> = {
    ...(await collectionSamples(service, collection).parents?.(adding(service))),
  };
  for (const name of parametersIn(collection)) {
    const [before = ''] = collection.split(`/{${name}}`);
    values[name] ??= await addSample(service, before, values);
  }
  return values;
}

/** {@link addSample} as samples of modules use it. */
export function adding(service: TestService): AddSample {
  return (collection, members) => addSample(service, collection, undefined, members);
}

let bodies = 0;

/** Members of a body that no other has: values of unique ones, and what the samples of the module give. */
export async function membersFor(service: TestService, collection: string): Promise<Members> {
  bodies += 1;
  const creation = await creationOf(service, collection);
  const path = creation?.path ?? collection;
  const schema = creation && bodySchema(creation);
  const document = await servedDocument(service);
  await setUp(service, path);
  return {
    ...(schema && uniqueMembers(service, tableOf(path), schema, document, bodies)),
    ...(schema && (await referringObjects(service, schema))),
    ...(schema && (await referringArrays(service, schema))),
    ...(await collectionSamples(service, path).members?.(bodies, adding(service))),
  };
}

/** By application and collection. */
const setUps = new WeakMap<object, Map<string, Promise<unknown> | undefined>>();

async function setUp(service: TestService, collection: string): Promise<void> {
  let begun = setUps.get(service.app);
  if (!begun) setUps.set(service.app, (begun = new Map<string, Promise<unknown> | undefined>()));
  if (!begun.has(collection)) {
    begun.set(collection, collectionSamples(service, collection).setUp?.(adding(service)));
  }
  await begun.get(collection);
}

/** Arrays of one object each, of those that refer to items of other collections. */
async function referringObjects(service: TestService, schema: Schema): Promise<Members> {
  const document = await servedDocument(service);
  const members: Record<string, unknown> = {};
  for (const [name, object] of objectArraysOf(schema, document)) {
    const referred = await referTo(service, object, 'all');
    if (Object.keys(referred).length > 0) members[name] = [{ ...(object.example as object), ...referred }];
  }
  return members;
}

/** Arrays of ids of new items; of none where a body may lack them, for collections may refer to themselves and to each other. */
async function referringArrays(service: TestService, schema: Schema): Promise<Members> {
  const document = await servedDocument(service);
  const { required = [] } = resolveSchema(schema, document);
  const members: Record<string, unknown> = {};
  for (const [name, { minItems = 1 }, collection] of referenceArraysOf(schema, document)) {
    const ids: number[] = [];
    const count = required.includes(name) ? minItems : 0;
    while (ids.length < count) ids.push(await add(service, collection, 'required'));
    members[name] = ids;
  }
  return members;
}

/** What adds to a collection; of a nested one the last segment is enough. */
async function creationOf(service: TestService, collection: string): Promise<ServedOperation | undefined> {
  const creations = operationsOf(await servedDocument(service)).filter(({ method }) => method === 'POST');
  return (
    creations.find(({ path }) => path === collection) ??
    creations.find(({ path }) => path.endsWith(`}${collection}`))
  );
}

/** The table of a collection: the last segment of its path, in snake case. */
export function tableOf(collection: string): string {
  return (collection.split('/').at(-1) as string).replaceAll('-', '_');
}

function collectionOf(table: string): string {
  return `/${table.replaceAll('_', '-')}`;
}

/** What a sample refers to has only its required references: collections may refer to themselves and to each other. */
type References = 'all' | 'required';

async function add(
  service: TestService,
  name: string,
  references: References,
  given?: PathValues,
  members?: Members,
): Promise<number> {
  const creation = await creationOf(service, name);
  const collection = creation?.path ?? name;
  const parents = given ?? (await addParents(service, collection));
  const schema = creation && bodySchema(creation);
  return schema
    ? post(service, collection, schema, references, parents, members)
    : insert(service, collection, references, parents);
}

async function post(
  service: TestService,
  collection: string,
  schema: Schema,
  references: References,
  parents: PathValues,
  members: Members = {},
): Promise<number> {
  const document = await servedDocument(service);
  const { example } = resolveSchema(schema, document);
  // Its example of a reference leads to nothing.
  const unset = Object.fromEntries(referencesOf(schema, document).map(([member]) => [member, undefined]));
  const referred = await referTo(service, schema, references);
  const sample = await membersFor(service, collection);
  const body = { ...(example as object), ...unset, ...referred, ...sample, ...members };
  const created = await service.post(targetOf(collection, parents), body);
  if (created.status !== 201) {
    throw new Error(
      `The example of ${collection} is responded with ${created.status}: ${await created.text()}`,
    );
  }
  return ((await created.json()) as { id: number }).id;
}

async function referTo(
  service: TestService,
  schema: Schema,
  references: References,
): Promise<Record<string, number>> {
  const document = await servedDocument(service);
  const { required = [] } = resolveSchema(schema, document);
  const ids: Record<string, number> = {};
  for (const [member, collection] of referencesOf(schema, document)) {
    if (references === 'required' && !required.includes(member)) continue;
    ids[member] = await add(service, collection, 'required');
  }
  return ids;
}

async function insert(
  service: TestService,
  collection: string,
  references: References,
  parents: PathValues,
): Promise<number> {
  const database = service.app.get(Database);
  const metadata = database.dataSource.entityMetadatas.find(
    ({ tableName }) => tableName === tableOf(collection),
  );
  if (!metadata) throw new Error(`${collection} has neither a POST nor a table.`);
  const members = await membersFor(service, collection);
  const row: Record<string, unknown> = {};
  const owners = ownerColumnOf(metadata.target);
  if (owners) row[owners.property] = owners.ownerOf(service.principal);
  for (const column of metadata.columns.filter(({ isGenerated }) => !isGenerated)) {
    const { propertyName } = column;
    row[propertyName] ??=
      members[propertyName] ??
      parents[propertyName] ??
      (await valueOf(column, metadata, service, references));
  }
  const { identifiers } = await database.dataSource.getRepository(metadata.target).insert(row);
  return Number((identifiers[0] as { id: bigint }).id);
}

/** A value a column takes. */
async function valueOf(
  column: ColumnMetadata,
  { foreignKeys, checks }: EntityMetadata,
  service: TestService,
  references: References,
): Promise<unknown> {
  const foreignKey = foreignKeys.find(({ columns }) => columns.includes(column));
  if (foreignKey) {
    if (references === 'required' && column.isNullable) return null;
    const target = collectionOf(foreignKey.referencedEntityMetadata.tableName);
    return BigInt(await add(service, target, 'required'));
  }
  const choices = `"${column.databaseName}" IN ('`;
  const check = checks.find(({ expression }) => expression.includes(choices))?.expression;
  const value = check === undefined ? VALUES.get(column.type) : check.split(choices)[1]?.split("'")[0];
  return column.isArray ? [value] : value;
}
