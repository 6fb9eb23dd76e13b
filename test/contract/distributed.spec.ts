import * as features from '../../src/features';
import { PetsService } from '../../src/pets/pets.service';
import { readJson } from '../../src/platform/values/json-reader';
import type { TestDatabase } from '../support/databases';
import { createDistributedDatabase } from '../support/distributed-database';
import { featureNames } from '../support/feature-operations';
import { startTestService, type TestService } from '../support/service';
import { describeOperations } from './support/describe-operations';
import { linksOf, targetOf } from './support/links';
import { ask, creation, field } from './support/request';
import { runSql } from './support/sql';

const PETS = 60;

describe('On a database that is serializable, scatters keys and has no advisory locks', () => {
  let database: TestDatabase;
  let first: TestService;
  let second: TestService;

  const useWholeRange = () =>
    runSql(database, 'ALTER TABLE pets ALTER COLUMN id SET DEFAULT random(1, 9223372036854775807)');

  beforeAll(async () => {
    database = await createDistributedDatabase();
    const start = () => startTestService('postgres', { DATABASE_URL: database.url });
    // Both migrate.
    [first, second] = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await first.stop();
    await second.stop();
    await database.drop();
  });

  it('two nodes that start at once on an empty one are ready, and every migration was applied once', async () => {
    for (const node of [first, second]) {
      const response = await fetch(`${node.managementUrl}/health/ready`);
      expect(await response.json()).toMatchObject({ status: 'ok', checks: { schema: { pending: [] } } });
    }
  });

  describeOperations('postgres', () => first, featureNames(features));

  it('creations with one Idempotency-Key at two nodes at once make one pet', async () => {
    const request = creation('{"name":"once","categoryId":1}', { headers: { 'Idempotency-Key': 'once' } });
    const nodes = [first, { port: second.port, key: first.key }];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(nodes[index % 2] as TestService, request)),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body)).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status)).difference(new Set([201, 409])).size).toBe(0);
    expect((await ask(second, { ...request, key: first.key })).body).toBe(made[0]?.body);
  });

  it('changes of one pet at two nodes at once are all made', async () => {
    const [pet] = await first.app.get(PetsService).createMany([{ name: '0', categoryId: 1n }]);
    const change = (node: TestService, index: number) =>
      node.app.get(PetsService).update(pet?.id as bigint, { name: String(index) });
    const nodes = [first, second, first];
    const changed = await Promise.all(nodes.map(change));
    expect(changed.map(({ name }) => name)).toEqual(['0', '1', '2']);
  });

  it('each of many pets that are made at once gets the id of its row', async () => {
    await useWholeRange();
    const pets = first.app.get(PetsService);
    const wanted = Array.from({ length: 450 }, (_, index) => ({
      name: `bulk ${index}`,
      categoryId: BigInt(index),
    }));
    const made = await pets.createMany(wanted);
    expect(made.map(({ name }) => name)).toEqual(wanted.map(({ name }) => name));
    const found = await Promise.all(made.map(({ id }) => pets.get(id)));
    expect(found).toEqual(made);
  });

  it('lists visit each pet once, in ascending order of ids from the whole range', async () => {
    await useWholeRange();
    const made: string[] = [];
    for (let index = 0; index < PETS; index++) {
      const answer = await ask(first, creation(`{"name":"walk","categoryId":1,"status":"sold"}`));
      made.push(field(answer, 'location') as string);
      expect((await ask(first, { target: made.at(-1) })).body).toBe(answer.body);
    }
    const visited: bigint[] = [];
    for (let next: string | undefined = '/v1/pets?status=sold&limit=7'; next !== undefined;) {
      const answer = await ask(first, { target: next });
      visited.push(...(readJson(Buffer.from(answer.body)) as { id: bigint }[]).map(({ id }) => id));
      const address = linksOf(answer).get('next');
      next = address === undefined ? undefined : targetOf(address);
    }
    expect(visited).toEqual([...new Set(visited)].sort((one, other) => (one < other ? -1 : 1)));
    const paths = new Set(visited.map((id) => `/v1/pets/${id}`));
    expect(made.filter((path) => !paths.has(path))).toEqual([]);
    expect(visited.at(-1)).toBeGreaterThan(2n ** 60n);
  });
});
