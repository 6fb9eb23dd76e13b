import { PetsService } from '../../../src/pets/pets.service';
import { readJson } from '../../../src/platform/values/json-reader';
import type { TestService } from '../../support/service/service';
import { linksOf, targetOf } from './links';
import { ask, creation, field } from './request';

const PETS = 60;

/**
 * What a database must not break that spreads rows over machines, and what one cannot see of single requests.
 *
 * @param nodes two that serve the same database
 */
export function describeSpreadRows(nodes: () => readonly [TestService, TestService]): void {
  it('two nodes make one pet of simultaneous creations with one Idempotency-Key', async () => {
    const [first, second] = nodes();
    const request = creation('{"name":"once","categoryId":1}', { headers: { 'Idempotency-Key': 'once' } });
    const asked = [first, { port: second.port, key: first.key }];
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(asked[index % 2] as TestService, request)),
    );
    const made = responses.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body)).size).toBe(1);
    expect(new Set(responses.map(({ status }) => status)).difference(new Set([201, 409])).size).toBe(0);
    expect((await ask(second, { ...request, key: first.key })).body).toBe(made[0]?.body);
  });

  it('two nodes lose no simultaneous change of one pet', async () => {
    const [first, second] = nodes();
    const [pet] = await first.app.get(PetsService).createMany([{ name: '0', categoryId: 1n }]);
    const change = (node: TestService, index: number) =>
      node.app.get(PetsService).update(pet?.id as bigint, { name: String(index) });
    const changed = await Promise.all([first, second, first].map(change));
    expect(changed.map(({ name }) => name)).toEqual(['0', '1', '2']);
  });

  it('simultaneous creations each return the id of their row', async () => {
    const pets = nodes()[0].app.get(PetsService);
    const wanted = Array.from({ length: 450 }, (_, index) => ({
      name: `bulk ${index}`,
      categoryId: BigInt(index),
    }));
    const made = await pets.createMany(wanted);
    expect(made.map(({ name }) => name)).toEqual(wanted.map(({ name }) => name));
    const found = await Promise.all(made.map(({ id }) => pets.get(id)));
    expect(found).toEqual(made);
  });

  it('lists visit each pet once, in ascending order of ids', async () => {
    const [first] = nodes();
    const made: string[] = [];
    for (let index = 0; index < PETS; index++) {
      const response = await ask(first, creation(`{"name":"walk","categoryId":1,"status":"sold"}`));
      made.push(field(response, 'location') as string);
      expect((await ask(first, { target: made.at(-1) })).body).toBe(response.body);
    }
    const visited: bigint[] = [];
    for (let next: string | undefined = '/v1/pets?status=sold&limit=7'; next !== undefined;) {
      const response = await ask(first, { target: next });
      visited.push(...(readJson(Buffer.from(response.body)) as { id: bigint }[]).map(({ id }) => id));
      const address = linksOf(response).get('next');
      next = address === undefined ? undefined : targetOf(address);
    }
    expect(visited).toEqual([...new Set(visited)].sort((one, other) => (one < other ? -1 : 1)));
    const paths = new Set(visited.map((id) => `/v1/pets/${id}`));
    expect(made.filter((path) => !paths.has(path))).toEqual([]);
  });
}
