import { DataSource } from 'typeorm';
import { useService } from '../contract/support/service';
import { describeEachEngine } from '../support/databases/databases';
import { addToSchema } from '../support/databases/with-schema';
import { jsonClient } from './client';
import { createTables } from './create-tables';
import { Animal, Area, Crop, Emblem, Farm, Owner, Path } from './farm.entities';
import { FarmsModule } from './farms.module';

/** What a module can find and store by TypeORM; no entity has a word of this service's. */
describeEachEngine('A module that uses much of TypeORM', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = addToSchema({
      entities: [Owner, Crop, Emblem, Farm, Animal, Area, Path],
      migrations: [createTables(1790000200000, 'of_')],
    });
  });
  const service = useService(engine, {}, { FarmsModule });
  afterAll(() => takeBack());
  const send = jsonClient(service);

  interface FarmBody {
    id: string;
    name: string;
    version: number;
    animals: { id: number; name: string; weight: number }[];
    crops: { id: number; name: string }[];
    owner: { id: number; name: string } | null;
  }

  let made = 0;
  async function farm(more: object = {}): Promise<FarmBody> {
    const name = `farm ${++made}`;
    const farmed = { name, address: { street: 'Lane 1', plot: `plot ${made}` }, ...more };
    const { status, body } = await send<FarmBody>('POST', '/v1/farms', farmed);
    expect([status, body]).toEqual([201, expect.anything()]);
    return body;
  }

  it('stores and finds bytes as a Buffer, and null', async () => {
    const emblems = service().app.get(DataSource).getRepository(Emblem);
    const image = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const { id } = await emblems.save({ image });
    await emblems.insert([{ image: Buffer.alloc(0) }, { image: null }]);
    const found = await emblems.find({ order: { id: 'ASC' } });
    expect(found.map((emblem) => emblem.image)).toEqual([image, Buffer.alloc(0), null]);
    expect(await emblems.findOneByOrFail({ image })).toMatchObject({ id });
  });

  const find = async (id: string) => (await send<FarmBody>('GET', `/v1/farms/${id}`)).body;

  const HERD = [
    { name: 'Ada', weight: 400, born: '2020-05-01T00:00:00.000Z' },
    { name: 'Bo', weight: 20, born: '2021-05-01T00:00:00.000Z' },
    { name: 'Coco', weight: 250 },
  ];
  const CROPS = [{ name: 'rye' }, { name: 'oats' }];
  /** A farm that no test changes. */
  let known: FarmBody;
  beforeAll(async () => {
    known = await farm({
      name: 'Known',
      region: 'known',
      animals: HERD,
      crops: CROPS,
      owner: { name: 'Ida' },
    });
  });

  it('stores a graph by cascades, and finds it by its relations', async () => {
    const found = await find(known.id);
    expect(found).toMatchObject({
      name: 'Known',
      animals: HERD.map(({ name }) => ({ name })),
      owner: { name: 'Ida' },
    });
    expect(found.crops.map(({ name }) => name).sort()).toEqual(['oats', 'rye']);
    expect([known.id, found.animals[0]?.id]).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.any(Number),
    ]);
  });

  it('stores embedded members, an enum, a double, dates and the change of a listener', async () => {
    const { id } = await farm({ name: '  Spacious  ', kind: 'grain', acres: 12.25 });
    expect(await find(id)).toMatchObject({
      name: 'Spacious',
      kind: 'grain',
      acres: 12.25,
      address: { street: 'Lane 1', plot: `plot ${made}` },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      owner: null,
      version: 1,
    });
    expect((await find(known.id)).animals[0]).toMatchObject({ born: '2020-05-01T00:00:00.000Z' });
  });

  it.each([
    ['in', ['Ada', 'Bo']],
    ['like', ['Bo', 'Coco'].filter((name) => name.includes('o'))],
    ['between', ['Coco']],
    ['is-null', ['Coco']],
    ['not', ['Coco']],
    ['either', ['Ada', 'Bo']],
    ['since', ['Bo']],
    ['raw', ['Ada']],
  ])('finds by the operators of find options: %s', async (by, names) => {
    const { body } = await send('GET', `/v1/farms/named/Known/animals/${by}`);
    // What was not selected is not there.
    expect(body).toEqual(names.map((name) => ({ name })));
  });

  it('sorts, pages and counts', async () => {
    for (const name of ['p1', 'p2', 'p3']) await farm({ name, region: 'paged' });
    const { body } = await send<[FarmBody[], number]>('GET', '/v1/farms/in/paged/from/1');
    expect([body[0].map(({ name }) => name), body[1]]).toEqual([['p2', 'p1'], 3]);
  });

  it('counts, sums and checks for existence', async () => {
    expect((await send('GET', '/v1/farms/named/Known/figures')).body).toEqual({
      count: 3,
      exists: [true, false],
      sum: 670,
      average: expect.closeTo(223.33, 2) as number,
      extremes: [20, 400],
    });
  });

  it('joins with a query builder, with entities and counts', async () => {
    const { body } = await send<[FarmBody[], number]>('GET', '/v1/farms/named/Known/joined');
    expect(body[1]).toBe(1);
    expect(body[0][0]?.animals.map(({ name }) => name)).toEqual(['Coco', 'Ada']);
  });

  it('groups with a query builder into raw rows', async () => {
    expect((await send('GET', '/v1/farms/in/known/heavy')).body).toEqual([
      { name: 'Known', count: 3, heaviest: 400 },
    ]);
  });

  it('finds with a subquery', async () => {
    expect((await send('GET', '/v1/farms/named/Known/heaviest')).body).toMatchObject([{ name: 'Ada' }]);
  });

  it('finds with an extended repository and with a repository class', async () => {
    expect((await send('GET', '/v1/farms/named/Known')).body).toMatchObject({ id: known.id });
    await send('PUT', '/v1/farm-crops/saffron/9000');
    expect((await send('GET', '/v1/farm-crops/dearest')).body).toMatchObject({ name: 'saffron' });
  });

  it('loads the keys of relations instead of their entities', async () => {
    const { animals, owner } = await find(known.id);
    const { body } = await send<{ animals: number[]; ownerId: number }>(
      'GET',
      `/v1/farms/${known.id}/relation-ids`,
    );
    expect(body.animals.sort()).toEqual(animals.map(({ id }) => id).sort());
    expect(body.ownerId).toBe(owner?.id);
  });

  it('inserts new rows and updates existing ones with an upsert', async () => {
    const { body: first } = await send<{ id: number }>('PUT', '/v1/farm-crops/barley/1');
    const { body: second } = await send('PUT', '/v1/farm-crops/barley/2');
    expect(second).toEqual({ id: first.id, name: 'barley', price: 2 });
  });

  it('hides, finds and restores soft-removed rows', async () => {
    const { id } = await farm();
    expect((await send('DELETE', `/v1/farms/${id}`)).status).toBe(200);
    expect((await send('GET', `/v1/farms/${id}`)).status).toBe(404);
    expect((await send('GET', `/v1/farms/removed/${id}`)).body).toMatchObject({
      deletedAt: expect.any(String),
    });
    expect((await send('POST', `/v1/farms/${id}/restored`)).status).toBe(201);
    expect(await find(id)).toMatchObject({ id, deletedAt: null });
  });

  it('updates a graph, removes orphans and increments the version', async () => {
    const { id } = await farm({ animals: HERD });
    const [ada] = (await find(id)).animals;
    await send('PATCH', `/v1/farms/${id}`, {
      code: `c${made}`,
      animals: [
        { id: ada?.id, weight: 1 },
        { name: 'New', weight: 2 },
      ],
    });
    expect(await find(id)).toMatchObject({
      version: 2,
      code: `c${made}`,
      animals: [{ id: ada?.id, name: 'Ada', weight: 1 }, { name: 'New' }],
    });
    expect((await find(id)).animals).toHaveLength(2);
  });

  it('links and unlinks a many-to-many relation with a relation builder', async () => {
    const { id } = await farm();
    const { body: crop } = await send<{ id: number }>('PUT', '/v1/farm-crops/hops/3');
    await send('PUT', `/v1/farms/${id}/crops/${crop.id}`);
    expect((await find(id)).crops).toMatchObject([{ name: 'hops' }]);
    await send('DELETE', `/v1/farms/${id}/crops/${crop.id}`);
    expect((await find(id)).crops).toEqual([]);
  });

  it('saves many entities in chunks, each with a key of its own', async () => {
    const { id } = await farm();
    expect((await send('POST', `/v1/farms/${id}/herds/250`)).body).toBe(250);
    expect((await find(id)).animals).toHaveLength(250);
  });

  it('updates with an expression, and returns the number of rows', async () => {
    await farm({ animals: [{ name: 'Fed', weight: 5 }] });
    const { id } = await farm({ animals: [{ name: 'Fed', weight: 7 }] });
    expect((await send('POST', '/v1/farm-animals/Fed/fed')).body).toBe(2);
    expect((await find(id)).animals).toMatchObject([{ weight: 8 }]);
  });

  it('binds the values of an SQL template', async () => {
    await farm({ animals: [{ name: "O'Hara", weight: 5 }] });
    expect((await send('GET', `/v1/farm-animals/${encodeURIComponent("O'Hara")}/count`)).body).toBe(1);
  });

  it.each(['areas', 'paths'])('walks trees of entities: %s', async (tree) => {
    await send('POST', `/v1/farm-trees/${tree}`, { names: ['world', 'land', 'town'] });
    const { body } = await send('GET', `/v1/farm-trees/${tree}/land`);
    expect(body).toMatchObject({
      ancestors: ['land', 'world'],
      descendants: 2,
      whole: { name: 'land', children: [{ name: 'town', children: [] }] },
    });
  });

  it.each([
    [
      '@Column({ unique: true }) of an embedded class',
      { address: { street: 'x', plot: 'taken' } },
      'address.plot must be unique',
    ],
    ['@Index({ unique: true })', { code: 'taken' }, 'code must be unique'],
    ['@Unique([...])', { name: 'taken', region: 'taken' }, 'name must be unique together with region'],
  ])('responds to a duplicate with 409 that names the member: %s', async (_declared, members, message) => {
    await farm(members);
    const again = { name: `again ${++made}`, address: { street: 'y', plot: `plot ${made}` }, ...members };
    expect(await send('POST', '/v1/farms', again)).toMatchObject({
      status: 409,
      body: { code: 'duplicate_value', message: `${message}: another record already has this value.` },
    });
  });

  it('responds to a second use of a one-to-one relation with 409 that names the member', async () => {
    const { owner } = await find(known.id);
    const second = {
      name: `second ${++made}`,
      address: { street: 'z', plot: `plot ${made}` },
      owner: { id: owner?.id },
    };
    expect(await send('POST', '/v1/farms', second)).toMatchObject({
      status: 409,
      body: {
        code: 'duplicate_value',
        message: 'owner must be unique: another record already has this value.',
      },
    });
  });

  it("refuses a path that is no UUID with Nest's pipe", async () => {
    expect((await send('GET', '/v1/farms/7')).status).toBe(400);
  });

  if (engine === 'sqlite') return;

  it("streams rows on PostgreSQL, as only TypeORM's driver for it does", async () => {
    expect((await send('GET', '/v1/farms/named/Known/stream')).body).toEqual(['Ada', 'Bo', 'Coco']);
  });
});
