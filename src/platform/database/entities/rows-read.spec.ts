import { describeEachEngine, type Engine } from '../../../../test/support/databases/databases';
import {
  Listing,
  openSampleDatabase,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { countRowsRead, isFrugal, wasteLine, watchSelects } from '../../../../test/support/service/rows-read';
import {
  BooleanParameter,
  EnumParameter,
  Int64Parameter,
  PrefixParameter,
  SortParameter,
  UuidParameter,
} from '../../validation/parameters';
import { Crate } from '../../../../test/support/samples/owned-samples';
import { asOwner } from '../../security/owner';
import { EntityRepository } from './entity-repository';

const description = 'Keeps some.';

/** Query of a list of listings. */
class ListingsQuery {
  limit!: number;
  cursor?: string;
  @EnumParameter({ Left: 'left', Right: 'right', Top: 'top' }, 'Shelf', { description, isArray: true })
  shelf?: string[];
  @BooleanParameter({ description }) isFresh?: boolean;
  @UuidParameter({ description }) token?: string;
  @Int64Parameter({ description, from: 'amount' }) amountFrom?: bigint;
  @Int64Parameter({ description, to: 'amount' }) amountTo?: bigint;
  @PrefixParameter({ description, prefix: 'title' }) titlePrefix?: string;
  @SortParameter('title', 'amount', 'price', 'isFresh', 'day', 'at', 'token') sort?: string;
}

const ROWS = 20_000;

const NUMBERS = {
  sqlite: `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ${ROWS})`,
  postgres: `WITH numbers AS (SELECT n FROM generate_series(1, ${ROWS}) AS n)`,
};

const AT = {
  sqlite: `'2026-01-31 09:30:00.' || (100 + n / 25)`,
  postgres: `timestamptz '2026-01-31 09:30:00Z' + n / 25 * interval '1 ms'`,
};

const TOKENS = ['00000000-0000-0000-0000-000000000000', '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e'] as const;

/** Listings of which what is on top, fresh, without an amount and of the second token is new. */
const fill = (engine: Engine) => `
  ${NUMBERS[engine]}
  INSERT INTO listings (title, shelf, rank, amount, price, is_fresh, day, at, token)
  SELECT 'title ' || n, CASE WHEN n <= 17000 THEN 'left' WHEN n <= 19900 THEN 'right' ELSE 'top' END, n % 7,
    CASE WHEN n <= 19000 THEN n END, n % 11, n > 19800, '2026-01-31', ${AT[engine]},
    CASE WHEN n <= 15000 THEN '${TOKENS[0]}' ELSE '${TOKENS[1]}' END${engine === 'postgres' ? '::uuid' : ''}
  FROM numbers`;

describeEachEngine('A list of rows whose values go with their age', (engine) => {
  let samples: SampleDatabase;
  let table: EntityRepository<Listing>;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    table = new EntityRepository(samples.database, Listing, ListingsQuery);
    await samples.dataSource.query(fill(engine));
    if (engine === 'postgres') await samples.dataSource.query('VACUUM ANALYZE listings');
  });
  afterAll(() => samples.close());

  async function wasteOf(work: () => Promise<unknown>): Promise<string[]> {
    const { selects } = await watchSelects(samples.dataSource, work);
    expect(selects).not.toEqual([]);
    const counted = await countRowsRead(samples.url, selects);
    return counted.filter((each) => !isFrugal(each)).map(wasteLine);
  }

  async function readPages(query: Partial<ListingsQuery>, ...rest: unknown[]): Promise<void> {
    let cursor: string | undefined;
    for (let page = 0; page < 3; page++) {
      const request = Object.assign(new ListingsQuery(), query, { limit: 20, ...(cursor && { cursor }) });
      const { items, next } = await table.findPage(request, ...(rest as [object?]));
      expect(items.length).toBeGreaterThan(0);
      if (next === undefined) break;
      cursor = next;
    }
  }

  it.each<Partial<ListingsQuery>>([
    {},
    ...['left', 'right', 'top'].map((shelf) => ({ shelf: [shelf] })),
    { shelf: ['right', 'top'] },
    { shelf: ['left', 'top'] },
    { isFresh: true },
    { isFresh: false },
    ...TOKENS.map((token) => ({ token })),
    ...['title', 'amount', 'price', 'isFresh', 'day', 'at', 'token'].flatMap((by) => [
      { sort: by },
      { sort: `-${by}` },
    ]),
    { isFresh: true, sort: 'isFresh' },
    { isFresh: true, sort: '-isFresh' },
    { titlePrefix: 'title 19', sort: 'title' },
    { titlePrefix: 'title 19', sort: '-title' },
    { amountFrom: 5_000n, sort: 'amount' },
    { amountFrom: 5_000n, amountTo: 15_000n, sort: '-amount' },
  ])('is read with about as many rows as it returns: %o', async (query) => {
    expect(await wasteOf(() => readPages(query))).toEqual([]);
  });

  it.each(
    ['left', 'right', 'top'].flatMap((shelf) => [true, false].map((descending) => ({ shelf, descending }))),
  )('is read from an index on its filter and its order: %o', async ({ shelf, descending }) => {
    const order = { by: 'rank', descending };
    expect(await wasteOf(() => readPages({}, { shelf }, order))).toEqual([]);
  });

  it('is read from the index on a text of any length', async () => {
    expect(await wasteOf(() => readPages({}, { title: 'title 19999' }))).toEqual([]);
  });

  it.each(['left', 'right', 'top'])(
    'is counted with about as many rows as are counted: %s',
    async (shelf) => {
      expect(await wasteOf(() => table.count({ shelf }, 50))).toEqual([]);
    },
  );
});

/** Query of a list of crates. */
class CratesQuery {
  limit!: number;
  cursor?: string;
  @SortParameter('label', 'weight') sort?: string;
}

/** Crates of which a tenth is of one owner, after all others by label and by weight. */
const fillCrates = (engine: Engine) => `
  ${NUMBERS[engine]}
  INSERT INTO crates (owner_id, label, weight)
  SELECT CASE WHEN n <= 18000 THEN 'ana' ELSE 'ben' END, 'label ' || (10000 + n), n / 1000 FROM numbers`;

describeEachEngine('A list of the rows of one owner among many', (engine) => {
  let samples: SampleDatabase;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    await samples.dataSource.query(fillCrates(engine));
    if (engine === 'postgres') await samples.dataSource.query('VACUUM ANALYZE crates');
  });
  afterAll(() => samples.close());

  it.each([{}, ...['label', '-label', 'weight', '-weight'].map((sort) => ({ sort }))])(
    'is read without those of others: %o',
    async (query) => {
      const crates = new EntityRepository(samples.database, Crate, CratesQuery);
      const request = Object.assign(new CratesQuery(), query, { limit: 20 });
      const { selects } = await watchSelects(samples.dataSource, () =>
        asOwner('ben', async () => {
          const { items, next } = await crates.findPage(request);
          const { items: more } = await crates.findPage(Object.assign(request, { cursor: next }));
          expect([items.length, more.length]).toEqual([20, 20]);
        }),
      );
      const counted = await countRowsRead(samples.url, selects);
      expect(counted.filter((each) => !isFrugal(each)).map(wasteLine)).toEqual([]);
    },
  );
});
