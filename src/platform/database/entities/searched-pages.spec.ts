import { describeEachEngine, type Engine } from '../../../../test/support/databases/databases';
import {
  Listing,
  openSampleDatabase,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { countRowsRead, wasteLine, watchSelects } from '../../../../test/support/service/rows-read';
import {
  BooleanParameter,
  DateTimeParameter,
  EnumParameter,
  Int64Parameter,
  PrefixParameter,
  SortParameter,
  UuidParameter,
} from '../../validation/parameters';
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
  @DateTimeParameter({ description, before: 'at' }) atBefore?: Date;
  @PrefixParameter({ description, prefix: 'title' }) titlePrefix?: string;
  @SortParameter('title', 'amount', 'at', 'token') sort?: string;
}

type Asked = Partial<ListingsQuery>;

const ROWS = 20_000;

/** Rows that a statement may read besides those that it returns: it looks at 1,000 up to three times, each read twice as engines plan, and some. */
const BOUND = 6 * 1_000 + 200;

const NUMBERS = {
  sqlite: `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ${ROWS})`,
  postgres: `WITH numbers AS (SELECT n FROM generate_series(1, ${ROWS}) AS n)`,
};

const AT = {
  sqlite: `'2026-01-31 09:30:00.' || (100 + n / 25)`,
  postgres: `timestamptz '2026-01-31 09:30:00Z' + (100 + n / 25) * interval '1 ms'`,
};

const TOKENS = ['00000000-0000-0000-0000-000000000000', '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e'] as const;

/** Listings that are new and old by their values: what is on top is rare and old, what is fresh is new, titles begin with their age. */
const fill = (engine: Engine) => `
  ${NUMBERS[engine]}
  INSERT INTO listings (title, shelf, rank, amount, price, is_fresh, day, at, token)
  SELECT CASE WHEN n <= 16000 THEN 'old ' ELSE 'new ' END || (n * 7919 % 20011),
    CASE WHEN n <= 150 THEN 'top' WHEN n <= 17000 THEN 'left' ELSE 'right' END, n % 7,
    CASE WHEN n <= 15000 THEN n END, n % 11, n > 14000, '2026-01-31', ${AT[engine]},
    CASE WHEN n % 2 = 0 THEN '${TOKENS[0]}' ELSE '${TOKENS[1]}' END${engine === 'postgres' ? '::uuid' : ''}
  FROM numbers`;

const FILTERS: readonly Asked[] = [
  { titlePrefix: 'new' },
  { titlePrefix: 'new 77' },
  { titlePrefix: 'none' },
  { amountFrom: 14_000n },
  { amountFrom: 14_990n, titlePrefix: 'old' },
  { atBefore: new Date('2026-01-31T09:30:00.200Z'), isFresh: false },
  { shelf: ['top'], isFresh: false },
  { shelf: ['top', 'right'] },
  { shelf: ['top', 'right'], token: TOKENS[0] },
  { isFresh: true, amountTo: 14_500n },
  // Nothing is both, though many rows are each.
  { isFresh: true, titlePrefix: 'old', shelf: ['right'] },
];

const ORDERS = [undefined, 'title', '-amount', 'at', '-token'];

/** Tells by the values themselves whether a row matches a query. */
function isWanted(row: Listing, asked: Asked): boolean {
  const { shelf, isFresh, token, amountFrom, amountTo, atBefore, titlePrefix } = asked;
  return (
    (!shelf || shelf.includes(row.shelf)) &&
    (isFresh === undefined || isFresh === row.isFresh) &&
    (token === undefined || token === row.token) &&
    (amountFrom === undefined || (row.amount !== null && row.amount >= amountFrom)) &&
    (amountTo === undefined || (row.amount !== null && row.amount <= amountTo)) &&
    (!atBefore || row.at < atBefore) &&
    (titlePrefix === undefined || row.title.startsWith(titlePrefix))
  );
}

describeEachEngine('A list that no index has as it is asked for', (engine) => {
  let samples: SampleDatabase;
  let table: EntityRepository<Listing>;
  let all: Listing[];

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    table = new EntityRepository(samples.database, Listing, ListingsQuery);
    await samples.dataSource.query(fill(engine));
    if (engine === 'postgres') await samples.dataSource.query('VACUUM ANALYZE listings');
    all = await table.findAfter({ after: 0n, limit: ROWS });
  });
  afterAll(() => samples.close());

  it.each(FILTERS.flatMap((filter) => ORDERS.map((sort) => ({ ...filter, ...(sort && { sort }) }))))(
    'has all of its rows on pages that each read few: %o',
    async (asked) => {
      const wanted = all.filter((row) => isWanted(row, asked)).map(({ id }) => id);
      const { result: seen, selects } = await watchSelects(samples.dataSource, async () => {
        const ids: bigint[] = [];
        let cursor: string | undefined;
        do {
          const request = Object.assign(new ListingsQuery(), asked, { limit: 100, cursor });
          const page = await table.findPage(request);
          expect(page.items.length).toBeLessThanOrEqual(100);
          ids.push(...page.items.map(({ id }) => id));
          cursor = page.next;
        } while (cursor !== undefined);
        return ids;
      });
      expect(asked.sort ? seen.toSorted((one, other) => Number(one - other)) : seen).toEqual(wanted);
      const counted = await countRowsRead(samples.url, selects);
      expect(counted).toHaveLength(selects.length);
      const wasteful = counted.filter(({ read, returned }) => read > BOUND + 3 * returned);
      expect(wasteful.map(wasteLine).slice(0, 2)).toEqual([]);
    },
  );

  it.each<[Asked, number]>([
    [{ shelf: ['top'], isFresh: false, sort: '-amount' }, 150],
    [{ shelf: ['top'], titlePrefix: 'old', sort: 'token' }, 150],
    [{ titlePrefix: 'new 77', sort: '-at' }, 20],
  ])('has few rows on one page, wherever they lie: %o', async (asked, least) => {
    const { items, next } = await table.findPage(Object.assign(new ListingsQuery(), asked, { limit: 1_000 }));
    expect(items.length).toBeGreaterThanOrEqual(least);
    expect(next).toBeUndefined();
  });

  it('has pages with fewer rows than asked for, even none, before the last', async () => {
    const asked = { isFresh: true, titlePrefix: 'old', shelf: ['right'], limit: 20 };
    const { items, next } = await table.findPage(Object.assign(new ListingsQuery(), asked));
    expect(items).toEqual([]);
    expect(next).toBeDefined();
  });
});
