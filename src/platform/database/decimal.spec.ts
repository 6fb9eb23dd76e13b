import fc from 'fast-check';
import { describeEachEngine } from '../../../test/support/databases/databases';
import {
  Fee,
  openSampleDatabase,
  type SampleDatabase,
} from '../../../test/support/databases/sample-database';
import { compareDecimals } from '../values/decimal';
import { EntityRepository } from './entities/entity-repository';

/** The ends of the range, and neighbours that a double tells apart only just. */
const AMOUNTS = [
  '9999999999999.99',
  '9999999999999.98',
  '-9999999999999.99',
  '-9999999999999.98',
  '0.00',
  '0.01',
  '-0.01',
  '0.10',
  '0.30',
  '12.00',
  '12.50',
];

describeEachEngine('A decimal in the database', (engine) => {
  let samples: SampleDatabase;
  let fees: EntityRepository<Fee>;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    fees = new EntityRepository(samples.database, Fee);
    await fees.insertMany([...AMOUNTS, null].map((amount) => ({ amount })));
  });
  afterAll(() => samples.close());

  it('is read exactly as it was stored, by TypeORM and by prepared statements', async () => {
    const rows = await samples.dataSource.getRepository(Fee).find({ order: { id: 'ASC' } });
    expect(rows.map(({ amount }) => amount)).toEqual([...AMOUNTS, null]);
    for (const { id, amount } of rows) expect(await fees.findOne(id)).toEqual({ id, amount });
  });

  it('is found by its exact value only', async () => {
    for (const amount of AMOUNTS) {
      const { items } = await fees.findPage({ limit: 9 }, { amount });
      expect(items.map((row) => row.amount)).toEqual([amount]);
      expect(await samples.dataSource.getRepository(Fee).countBy({ amount })).toBe(1);
    }
    expect((await fees.findPage({ limit: 9 }, { amount: '9999999999999.97' })).items).toEqual([]);
  });

  if (engine === 'sqlite') {
    it.each([false, true])(
      'is there once on the pages of a list even if others have stored more digits; descending: %p',
      async (descending) => {
        const own = await openSampleDatabase(engine);
        const table = new EntityRepository(own.database, Fee);
        await table.insertMany(Array.from({ length: 9 }, () => ({ amount: '0.10' })));
        await own.dataSource.query('UPDATE "fees" SET "amount" = 0.101 + ("id" % 3) / 1000.0');
        const found: bigint[] = [];
        let cursor: string | undefined;
        do {
          const page = await table.findPage({ limit: 2, cursor }, {}, { by: 'amount', descending });
          found.push(...page.items.map(({ id }) => id));
          cursor = found.length > 9 ? undefined : page.next;
        } while (cursor !== undefined);
        await own.close();
        expect(found.toSorted((a, b) => Number(a - b))).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n]);
      },
    );
  }

  it.each([false, true])('is sorted by its value, page by page; descending: %p', async (descending) => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await fees.findPage({ limit: 2, cursor }, {}, { by: 'amount', descending });
      found.push(...page.items.flatMap(({ amount }) => amount ?? []));
      cursor = page.next;
    } while (cursor !== undefined);
    const sorted = AMOUNTS.toSorted(compareDecimals);
    expect(found).toEqual(descending ? sorted.reverse() : sorted);
  });

  it.each([undefined, false, true])('is found in a range of values; descending: %p', async (descending) => {
    const order = descending === undefined ? undefined : ({ by: 'amount', descending } as const);
    const where = { amount: { from: '-9999999999999.98', before: '12.50' } };
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await fees.findPage({ limit: 2, cursor }, where, order);
      found.push(...page.items.flatMap(({ amount }) => amount ?? []));
      cursor = page.next;
    } while (cursor !== undefined);
    const sorted = ['-9999999999999.98', '-0.01', '0.00', '0.01', '0.10', '0.30', '12.00'];
    expect(found.toSorted(compareDecimals)).toEqual(sorted);
    if (descending !== undefined) expect(found).toEqual(descending ? sorted.reverse() : sorted);
  });

  it('keeps every decimal of 15 digits', async () => {
    const amounts = fc
      .sample(fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), { numRuns: 400, seed: 1 })
      .map((cents) => `${cents < 0n ? '-' : ''}${String(cents < 0n ? -cents : cents).padStart(3, '0')}`)
      .map((digits) => `${digits.slice(0, -2)}.${digits.slice(-2)}`);
    const stored = await fees.insertMany(amounts.map((amount) => ({ amount })));
    const read = await Promise.all(stored.map(async ({ id }) => (await fees.findOne(id))?.amount));
    expect(read).toEqual(amounts);
  });
});
