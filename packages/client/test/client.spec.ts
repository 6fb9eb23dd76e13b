import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestService, type TestService } from '../../../test/support/service/service.ts';
import { runSql } from '../../../test/contract/support/sql.ts';
import { type DeprecationNotice, type Pet, PetstoreClient, PetstoreError } from '../src/index.ts';
import { Requests } from '../src/requests.ts';
import { CuttingProxy } from './support/cutting-proxy.ts';
import { ScriptedFetch } from './support/scripted-fetch.ts';
import { SIZES } from './support/sizes.ts';

/** Milliseconds a test may take, plus some for each of its pets. */
const BASE_MS = 300_000;

/** Calls under way at a time. */
const AT_ONCE = 10;

/** The next id is beyond what a number can hold. */
const FAR = 2n ** 62n;

describe('The client', () => {
  let service: TestService;
  let client: PetstoreClient;

  beforeAll(async () => {
    // Links then name the public address, which these tests could not reach.
    service = await startTestService('sqlite', { PUBLIC_BASE_URL: 'https://petstore.example.com/v1' });
    await runSql(service.database, `INSERT INTO pets (id, name, category_id) VALUES (${FAR}, 'Zero', 0)`);
    client = clientOf();
  });
  afterAll(() => service.stop());

  function clientOf(options: Partial<ConstructorParameters<typeof PetstoreClient>[0]> = {}): PetstoreClient {
    return new PetstoreClient({ baseUrl: service.url, apiKey: service.key, ...options });
  }

  async function all(pets: AsyncIterable<Pet>): Promise<Pet[]> {
    const found = [];
    for await (const pet of pets) found.push(pet);
    return found;
  }

  it(
    'passes random 64-bit integers through create, get and list exactly',
    async () => {
      const integers = [
        0n,
        -1n,
        2n ** 53n + 1n,
        -(2n ** 53n) - 1n,
        2n ** 63n - 1n,
        -(2n ** 63n),
        ...randomInteger(SIZES.integers),
      ];
      const made = new Map<bigint, bigint>();
      await eachAtOnce(integers, async (categoryId) => {
        const pet = await client.createPet({ name: 'Rex', categoryId });
        expect(pet.categoryId).toBe(categoryId);
        expect(await client.getPet(pet.id)).toEqual(pet);
        made.set(pet.id, categoryId);
      });
      const listed = await all(client.listPets({ limit: 100 }));
      expect(
        new Map(listed.filter(({ name }) => name === 'Rex').map(({ id, categoryId }) => [id, categoryId])),
      ).toEqual(new Map([...made].sort(([a], [b]) => (a < b ? -1 : 1))));
      expect(made.size).toBe(integers.length);
      expect([...made.keys()].every((id) => id > FAR)).toBe(true);
    },
    BASE_MS + 100 * SIZES.integers,
  );

  it(
    'makes each pet once, wherever connections are cut',
    async () => {
      const random = mulberry32(20_301_205);
      const proxy = await CuttingProxy.start(service.port, (cuts) =>
        // From before the first byte to about after the third response.
        cuts < SIZES.cuts ? Math.floor(random() * 3_000) : undefined,
      );
      const through = clientOf({ baseUrl: proxy.url, budget: BASE_MS });
      const made = new Map<string, bigint>();
      let names = 0;
      const worker = async () => {
        while (proxy.cuts < SIZES.cuts) {
          const name = `cut ${names++}`;
          made.set(name, (await through.createPet({ name, categoryId: 1n })).id);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      await proxy.stop();
      expect(proxy.cuts).toBeGreaterThanOrEqual(SIZES.cuts);
      const listed = (await all(client.listPets({ limit: 100 }))).filter(({ name }) =>
        name.startsWith('cut '),
      );
      expect(listed.map(({ name, id }) => [name, id])).toEqual(
        [...made].sort(([, a], [, b]) => (a < b ? -1 : 1)),
      );
    },
    BASE_MS + 1_000 * SIZES.cuts,
  );

  it('iterates over all pages of a filtered list, and requests no page after a break', async () => {
    for (let i = 1; i <= 5; i++)
      await client.createPet({ name: `sold ${i}`, categoryId: 1n, status: 'sold' });
    const { fetch: scripted, sent } = new ScriptedFetch([], fetch);
    const sold = clientOf({ fetch: scripted }).listPets({ status: 'sold', limit: 2 });
    expect((await all(sold)).map(({ name }) => name)).toEqual([
      'sold 1',
      'sold 2',
      'sold 3',
      'sold 4',
      'sold 5',
    ]);
    expect(sent).toHaveLength(3);
    expect(sent.every(({ url }) => url.startsWith(`${service.url}/v1/pets?`))).toBe(true);
    for await (const pet of sold) if (pet.name === 'sold 1') break;
    expect(sent).toHaveLength(4);
  });

  it('returns one page with the cursor of the next', async () => {
    const first = await client.listPets({ limit: 1 }).page();
    expect(first.items).toHaveLength(1);
    const second = await client.listPets({ limit: 1, cursor: first.nextCursor }).page();
    expect((second.items[0] as Pet).id).toBeGreaterThan((first.items[0] as Pet).id);
    expect((await client.listPets({ limit: 100, cursor: second.nextCursor }).page()).requestId).toBeDefined();
  });

  it('returns undefined when the entity tag of a request still matches', async () => {
    const { id } = await client.createPet({ name: 'Tom', categoryId: 1n });
    const { data, etag, status } = await client.getPet(id).withResponse();
    expect([data.id, status]).toEqual([id, 200]);
    expect(await client.getPet(id, { ifNoneMatch: etag })).toBeUndefined();
    expect(await client.getPet(id, { ifNoneMatch: '"other"' })).toEqual(data);

    const page = await client.listPets({ limit: 1 }).page();
    expect(await client.listPets({ limit: 1 }).page({ ifNoneMatch: page.etag })).toBeUndefined();
    expect(await client.listPets({ limit: 2 }).page({ ifNoneMatch: page.etag })).toMatchObject({
      items: [{}, {}],
    });
  });

  it('throws an error with code, status, request id and message', async () => {
    const refused = client.getPet(1n, { headers: { 'X-Request-Id': 'mine' } });
    await expect(refused).rejects.toBeInstanceOf(PetstoreError);
    await expect(refused).rejects.toMatchObject({
      code: 'pet_not_found',
      status: 404,
      requestId: 'mine',
      message: 'No pet has this petId.',
    });
    await expect(clientOf({ apiKey: 'wrong' }).listPets().page()).rejects.toMatchObject({
      code: 'invalid_api_key',
    });
    await expect(all(client.listPets({ limit: 0 }))).rejects.toMatchObject({
      code: 'invalid_parameter',
      status: 400,
    });
    const repeated = { idempotencyKey: 'once' };
    await client.createPet({ name: 'Rex', categoryId: 1n }, repeated);
    await expect(client.createPet({ name: 'Max', categoryId: 1n }, repeated)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('throws unexpected_response for a body that is not from the service, even with status 200', async () => {
    for (const status of [200, 404]) {
      const { fetch: scripted } = new ScriptedFetch([new Response('<html>', { status })]);
      const page = clientOf({ fetch: scripted }).listPets().page();
      await expect(page).rejects.toMatchObject({ code: 'unexpected_response', status });
    }
  });

  it('follows no redirect, which would turn a POST into a GET and send the key elsewhere', async () => {
    const paths: unknown[] = [];
    const elsewhere = createServer(({ url }, response) => {
      paths.push(url);
      response.writeHead(301, { location: '/elsewhere' }).end();
    });
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const baseUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const added = clientOf({ baseUrl, budget: 1_000 }).createPet({ name: 'Rex', categoryId: 1n });
    await expect(added).rejects.toMatchObject({ code: 'unexpected_response', status: 301 });
    elsewhere.close();
    expect(paths).toEqual(['/v1/pets']);
  });

  it('calls onDeprecation for deprecated operations only', async () => {
    const notices: DeprecationNotice[] = [];
    const watched = clientOf({ onDeprecation: (notice) => notices.push(notice) });
    const { id } = await watched.createPet({ name: 'Rex', categoryId: 1n });
    await all(watched.listPets({ status: 'pending' }));
    expect(notices).toEqual([]);
    await watched.getPet(id);
    await watched.getPet(1n).catch(() => undefined);
    const notice = {
      operation: 'getPet',
      deprecation: new Date('2025-12-05T00:00:00Z'),
      sunset: new Date('2030-12-05T00:00:00Z'),
      link: 'https://petstore.example.com/docs/guide#getPet',
    };
    expect(notices).toEqual([notice, notice]);
  });

  it.each(['', '/', '/v1', '/v1/'])('accepts a baseUrl that ends in %j', async (end) => {
    const page = await clientOf({ baseUrl: service.url + end })
      .listPets()
      .page();
    expect(page.items.length).toBeGreaterThan(0);
  });

  it('sends each value of a repeated query parameter exactly, and omits undefined ones', async () => {
    const { fetch: scripted, sent } = new ScriptedFetch([new Response('[]')]);
    const requests = new Requests({ baseUrl: service.url, apiKey: service.key, fetch: scripted }, '/v1', {});
    const query = { petId: [1n, FAR], status: undefined, 'name prefix': 'a&b', limit: 5 };
    await requests.call({ name: 'listOrders', method: 'GET', path: '/orders', query });
    expect(sent[0]?.url).toBe(`${service.url}/v1/orders?petId=1&petId=${FAR}&name+prefix=a%26b&limit=5`);
  });

  it('refuses an apiKey that no header can hold, without repeating it', () => {
    expect(() => clientOf({ apiKey: 'petk_secret\nX-Other: 1' })).toThrow(
      /^apiKey must be visible ASCII characters without spaces\.$/,
    );
  });

  it('refuses a baseUrl that is not an HTTP address', () => {
    expect(() => clientOf({ baseUrl: 'localhost:3000' })).toThrow(
      'baseUrl must begin with http:// or https://.',
    );
  });
});

/** Runs the work for all items, some at a time. */
async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function* randomInteger(count: number): Generator<bigint> {
  for (let i = 0; i < count; i++) {
    // Numbers of every length, where random ones would nearly always have the greatest.
    yield crypto
      .getRandomValues(new BigInt64Array(1))
      .map((integer) => integer >> BigInt(i % 64))[0] as bigint;
  }
}

/** Random numbers from 0 to 1, the same for the same seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
