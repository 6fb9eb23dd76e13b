import { useService } from '../contract/support/service';
import { describeEachEngine } from '../support/databases/databases';
import { addToSchema } from '../support/databases/with-schema';
import { jsonClient, petNames } from './client';
import { CreateShops1790000100000 } from './create-shops';
import { Sale, Shop } from './shop.entities';
import { ShopsModule } from './shops.module';

/** Sales that hold, and as many that fail. */
const RUNS = Number(process.env['RUNS'] ?? 50);

/** Clients that read and write pets all the time. */
const CLIENTS = 8;

jest.setTimeout(300_000 + RUNS * 1_000);

/** Each sale is a transaction over this module and that of pets. */
describeEachEngine('A module on TypeORM under load', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = addToSchema({ entities: [Shop, Sale], migrations: [CreateShops1790000100000] });
  });
  const service = useService(engine, {}, { ShopsModule });
  afterAll(() => takeBack());
  const send = jsonClient(service);

  it.each(['sales', 'sales-by-hand'])(
    'commits or rolls back transactions over two modules as one: %s',
    async (way) => {
      const { body: shop } = await send<{ id: number }>('POST', '/v1/shops', { name: `busy ${way}` });
      const over = new AbortController();
      const kept = await Promise.all([
        ...Array.from({ length: CLIENTS }, async (_, client) => {
          let made = 0;
          while (!over.signal.aborted) {
            expect((await send('GET', '/v1/pets?limit=20')).status).toBe(200);
            const { status } = await send('POST', '/v1/pets', {
              name: `beside ${way} ${client}`,
              categoryId: 1,
            });
            expect(status).toBe(201);
            made++;
          }
          return made;
        }),
        sell(way, shop.id).finally(() => over.abort()),
      ]);
      const beside = kept.slice(0, CLIENTS).reduce((sum, made) => sum + made, 0);

      const { body } = await send<{ visits: number; sales: object[] }>('GET', `/v1/shops/${shop.id}`);
      expect([body.visits, body.sales.length]).toEqual([RUNS, RUNS]);
      const names = await petNames(service());
      expect(names.filter((name) => name.endsWith(`busy ${way}`))).toHaveLength(RUNS);
      expect(names.filter((name) => name.startsWith(`beside ${way} `))).toHaveLength(beside);
    },
  );

  async function sell(way: string, id: number): Promise<number> {
    for (let run = 0; run < RUNS; run++) {
      const path = `/v1/shops/${id}/${way}`;
      const both = await Promise.all([false, true].map((fails) => send('POST', path, { amount: 1, fails })));
      expect(both.map(({ status }) => status)).toEqual([201, 409]);
    }
    return RUNS;
  }
});
