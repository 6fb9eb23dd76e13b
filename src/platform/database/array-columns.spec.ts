import fc from 'fast-check';
import { Table } from 'typeorm';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { Basket } from '../../../test/support/samples/sample-arrays';
import { openSampleDatabase, type SampleDatabase } from '../../../test/support/databases/sample-database';
import { columnTypes } from './column-types';
import { EntityRepository, type New } from './entities/entity-repository';

type Values = Partial<New<Basket>>;

const TEXTS = [
  '',
  ' ',
  'NULL',
  'null',
  '{}',
  '{a,b}',
  '"',
  "'",
  '\\',
  '\\"',
  'a,b',
  '[1]',
  'Ü🐕',
  'a\r\n\tb',
];

/** Arrays of each column, the extremes of their items among them. */
const CASES: [keyof Values, unknown[]][] = [
  ['labels', []],
  ['labels', TEXTS],
  ['labels', ['same', 'same']],
  ['labels', Array.from({ length: 5_000 }, (_, n) => `label ${n}`)],
  ['amounts', []],
  ['amounts', [-(2n ** 63n), -(2n ** 53n) - 1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n]],
  ['counts', [-(2 ** 31), 0, 2 ** 31 - 1]],
  ['ratios', [0, 1, 0.1, 1 / 3, 2 ** 53 + 2, -1e21, 5e-324, 1.7976931348623157e308]],
  ['prices', ['0.00', '-0.01', '12.50', '9999999999999.99']],
  ['flags', [true, false]],
  ['days', ['0001-01-01', '1582-10-10', '2024-02-29', '9999-12-31']],
  ['times', ['0001-01-01T00:00:00.000Z', '2025-11-02T05:30:00.001Z'].map((text) => new Date(text))],
  ['tokens', ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
];

const NOTHING = {
  labels: [],
  amounts: null,
  counts: null,
  ratios: null,
  prices: null,
  flags: null,
  days: null,
  times: null,
  tokens: null,
};

describeEachEngine('An array column', (engine) => {
  let samples: SampleDatabase;
  let baskets: EntityRepository<Basket>;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    baskets = new EntityRepository(samples.database, Basket);
  });
  afterAll(() => samples.close());

  async function stored(id: bigint): Promise<object> {
    return { ...(await baskets.findOne(id)) };
  }

  it.each(CASES)('is kept exactly by the statements of repositories: %s', async (name, items) => {
    const row = { ...NOTHING, [name]: items };
    const { id } = await baskets.insert(row);
    expect(await stored(id)).toStrictEqual({ id, ...row });
    await baskets.update({ id, ...NOTHING });
    expect(await stored(id)).toStrictEqual({ id, ...NOTHING });
    await baskets.update({ id, ...row });
    const [found] = await baskets.findAfter({ after: id - 1n, limit: 1 });
    expect({ ...found }).toStrictEqual({ id, ...row });
  });

  it.each(CASES)('is the same in TypeORM: %s', async (name, items) => {
    const row = { ...NOTHING, [name]: items };
    const { id } = await baskets.insert(row);
    const found = await samples.dataSource.getRepository(Basket).findOneByOrFail({ id });
    expect({ ...found }).toStrictEqual({ id, ...row });
    const { identifiers } = await samples.dataSource.getRepository(Basket).insert(row);
    const other = BigInt((identifiers[0] as { id: bigint | string }).id);
    expect(await stored(other)).toStrictEqual({ ...row, id: other });
  });

  it('is kept exactly in a multi-row insertion', async () => {
    const rows = CASES.flatMap((_, start) =>
      Array.from({ length: 17 }, (__, n) => {
        const [name, items] = CASES[(start + n) % CASES.length] as (typeof CASES)[number];
        return { ...NOTHING, [name]: items.slice(0, 20) };
      }),
    );
    const { id: after } = await baskets.insert(NOTHING);
    await baskets.insertMany(rows);
    const page = await baskets.findAfter({ after, limit: 1_000 });
    expect(page.map(({ id: _id, ...row }) => row)).toStrictEqual(rows);
  });

  it('is kept exactly whatever its texts are', async () => {
    const texts = fc.array(
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed()),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (labels) => {
        const { id } = await baskets.insert({ ...NOTHING, labels });
        expect(await stored(id)).toMatchObject({ labels });
      }),
      { numRuns: 100 },
    );
  });

  it('matches the column that a migration creates with the types of its engine', async () => {
    const runner = samples.dataSource.createQueryRunner();
    const { array, boolean, date, decimal, double, instant, int64, integer, text, uuid } =
      columnTypes(runner);
    const types = {
      ...{ amounts: int64, counts: integer, ratios: double, prices: decimal, flags: boolean },
      ...{ days: date, times: instant, tokens: uuid },
    };
    await runner.dropTable('baskets');
    await runner.createTable(
      new Table({
        name: 'baskets',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_baskets',
          },
          { name: 'labels', type: array(text) },
          ...Object.entries(types).map(([name, type]) => ({ name, type: array(type), isNullable: true })),
        ],
      }),
    );
    await runner.release();
    const { upQueries } = await samples.dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });
});
