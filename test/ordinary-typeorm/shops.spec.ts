import { useService } from '../contract/support/service';
import { describeEachEngine } from '../support/databases/databases';
import { addToSchema } from '../support/databases/with-schema';
import { jsonClient, petNames } from './client';
import { CreateShops1790000100000 } from './create-shops';
import { Sale, Shop } from './shop.entities';
import { ShopsModule } from './shops.module';

/** A module as TypeORM's documentation teaches to write one; all it knows of the service is `PetsService`. */
describeEachEngine('A module on plain TypeORM', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = addToSchema({ entities: [Shop, Sale], migrations: [CreateShops1790000100000] });
  });
  const service = useService(engine, {}, { ShopsModule });
  const client = jsonClient(service);
  afterAll(() => takeBack());

  interface Body {
    id: number;
    name: string;
    version: number;
    code: string;
    message: string;
    sales: { id: string; amount: number }[];
  }

  const send = <T = Body>(...request: Parameters<ReturnType<typeof jsonClient>>) => client<T>(...request);

  let made = 0;
  async function shop(more: object = {}): Promise<Body> {
    const { status, body } = await send('POST', '/v1/shops', { name: `shop ${++made}`, ...more });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body;
  }

  const find = async (id: number) => (await send('GET', `/v1/shops/${id}`)).body;

  /** How many pets have such a name. */
  const petsNamed = async (name: string) =>
    (await petNames(service())).filter((each) => each === name).length;

  it('gets the generated key as a number, dates, a version and its own values', async () => {
    const hours = { from: 9, to: 17 };
    const created = await shop({ hours, labels: ['a', 'b'], sales: [{ amount: 3 }, { amount: 4 }] });
    expect(typeof created.id).toBe('number');
    expect(created).toMatchObject({ version: 1, visits: 0, isOpen: true, hours, labels: ['a', 'b'] });
    const found = await find(created.id);
    expect(found).toMatchObject({ id: created.id, name: created.name, hours, deletedAt: null });
    expect(found.sales.map(({ amount }) => amount).sort()).toEqual([3, 4]);
    expect(found.sales[0]?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(
      Math.abs(Date.now() - Date.parse((found as unknown as { createdAt: string }).createdAt)),
    ).toBeLessThan(600_000);
  });

  it('increments the version with each save', async () => {
    const { id } = await shop();
    expect((await send('PATCH', `/v1/shops/${id}`, { name: `renamed ${id}` })).body).toMatchObject({
      version: 2,
    });
    expect(await find(id)).toMatchObject({ version: 2, name: `renamed ${id}` });
  });

  it('hides soft-deleted rows', async () => {
    const { id } = await shop();
    expect((await send('DELETE', `/v1/shops/${id}`)).status).toBe(200);
    expect(await send('GET', `/v1/shops/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: 'There is no such shop.' },
    });
    expect((await send('DELETE', `/v1/shops/${id}`)).status).toBe(404);
  });

  it('responds to a duplicate with 409 that names the member', async () => {
    const { name } = await shop();
    expect(await send('POST', '/v1/shops', { name })).toEqual({
      status: 409,
      body: {
        code: 'duplicate_value',
        message: 'name must be unique: another record already has this value.',
        status: 409,
      },
    });
  });

  it('can catch the error of a duplicate itself', async () => {
    const { id, name } = await shop();
    expect(await send('POST', '/v1/shops/ensured', { name })).toMatchObject({ status: 201, body: { id } });
  });

  it('responds with 409 to a reference to nothing, and to the removal of a referenced row', async () => {
    expect(await send('POST', '/v1/shops/999999/sale-without-shop', {})).toMatchObject({
      status: 409,
      body: { code: 'missing_reference' },
    });
    const { id } = await shop({ sales: [{ amount: 1 }] });
    expect(await send('DELETE', `/v1/shops/${id}/rows`)).toMatchObject({
      status: 409,
      body: { code: 'still_referenced' },
    });
  });

  it('stores bytes', async () => {
    const { id } = await shop({ sales: [{ amount: 1 }] });
    const [sale] = (await find(id)).sales;
    const text = 'bytes \u{1f4be}';
    expect((await send('POST', `/v1/shops/sales/${sale?.id}/receipt`, { text })).body).toBe(text);
  });

  it('sums with a query builder, and counts with a repository of a factory', async () => {
    const { name } = await shop({ sales: [{ amount: 30 }, { amount: 12 }] });
    const { body } = await send('GET', '/v1/shops/totals');
    expect(body).toContainEqual({ name, total: 42 });
    const { count } = (await send<{ count: number }>('GET', '/v1/open-shops')).body;
    expect(count).toBeGreaterThan(0);
  });

  it.each(['sales', 'sales-by-hand'])(
    'commits or rolls back with another module in one transaction: %s',
    async (way) => {
      const { id, name } = await shop();
      const pet = `sold by ${way === 'sales' ? '' : 'hand by '}${name}`;
      expect((await send('POST', `/v1/shops/${id}/${way}`, { amount: 5 })).status).toBe(201);
      expect(await petsNamed(pet)).toBe(1);
      expect((await send('POST', `/v1/shops/${id}/${way}`, { amount: 6, fails: true })).status).toBe(409);
      expect(await petsNamed(pet)).toBe(1);
      expect((await find(id)).sales.map(({ amount }) => amount)).toEqual([5]);
      expect((await send('GET', `/v1/shops/${id}/visits`)).body).toBe(1);
    },
  );

  it('rolls back a nested transaction alone', async () => {
    const { id } = await shop();
    expect((await send('POST', `/v1/shops/${id}/nested-sales`)).status).toBe(201);
    expect((await find(id)).sales.map(({ amount }) => amount).sort()).toEqual([1, 2]);
    expect(await petsNamed('nested')).toBe(0);
  });

  it.each(['sales', 'sales-by-hand'])(
    'has correct sums after 40 simultaneous transactions, and keeps pets made beside them: %s',
    async (way) => {
      const { id, name } = await shop();
      const sales = Array.from({ length: 40 }, (_, n) =>
        send('POST', `/v1/shops/${id}/${way}`, { amount: 1, fails: n % 4 === 0 }),
      );
      const pets = Array.from({ length: 20 }, () =>
        service().post('/v1/pets', { name: `beside ${way} ${name}`, categoryId: 1 }),
      );
      const statuses = (await Promise.all(sales)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(30);
      expect(statuses.filter((status) => status === 409)).toHaveLength(10);
      expect((await Promise.all(pets)).map(({ status }) => status)).toEqual(Array(20).fill(201));
      expect((await find(id)).sales).toHaveLength(30);
      expect((await send('GET', `/v1/shops/${id}/visits`)).body).toBe(30);
      expect(await petsNamed(`beside ${way} ${name}`)).toBe(20);
      expect(await petsNamed(`sold by ${way === 'sales' ? '' : 'hand by '}${name}`)).toBe(30);
    },
  );
});
