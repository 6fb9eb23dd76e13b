import { describeEachEngine, type Engine } from '../../../../test/support/databases/databases';
import {
  Listing,
  openSampleDatabase,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { encodeCursor, encodeOrderedCursor } from '../../values/cursor';
import {
  BooleanParameter,
  EnumParameter,
  Int64Parameter,
  PrefixParameter,
  SortParameter,
} from '../../validation/parameters';
import { EntityList } from './entity-list';
import { EntityRepository } from './entity-repository';
import { orderText } from '../statements/row-order';
import { bindable, type BoundValue } from '../statements/row-values';
import type { Statement } from '../statements/statement';
import { filterOfTerms, termsOf } from '../statements/where';

const description = 'Keeps some.';

/** Query of a list of listings. */
class ListingsQuery {
  limit!: number;
  cursor?: string;
  @EnumParameter({ Left: 'left', Top: 'top' }, 'Shelf', { description, isArray: true }) shelf?: string[];
  @BooleanParameter({ description }) isFresh?: boolean;
  @Int64Parameter({ description, from: 'amount' }) amountFrom?: bigint;
  @Int64Parameter({ description, to: 'amount' }) amountTo?: bigint;
  @PrefixParameter({ description, prefix: 'title' }) titlePrefix?: string;
  @SortParameter('title', 'amount', 'price', 'at') sort?: string;
}

type Asked = Partial<ListingsQuery>;

const ROWS = 200_000;

/** Rows of one statement: all in one would take longer than statements may. */
const BATCH = 20_000;

/** Listings at their numbers, in SQL; where the engines differ, by engine. */
const FILL = {
  sqlite: {
    numbers: `WITH RECURSIVE numbers (n) AS (SELECT CAST(? AS INTEGER) + 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ${BATCH})`,
    at: `'2026-01-31 09:30:00.' || (100 + n % 900)`,
  },
  postgres: {
    numbers: `WITH numbers AS (SELECT $1::int + n AS n FROM generate_series(1, ${BATCH}) AS n)`,
    at: `timestamptz '2026-01-31 09:30:00Z' + (100 + n % 900) * interval '1 ms'`,
  },
};

const fill = (engine: Engine) => `
  ${FILL[engine].numbers}
  INSERT INTO listings (title, shelf, rank, amount, price, is_fresh, day, at)
  SELECT 'title ' || (n * 7919 % 200003), CASE n % 3 WHEN 0 THEN 'left' WHEN 1 THEN 'right' ELSE 'top' END, 1,
    CASE WHEN n % 5 > 0 THEN n * 7919 % 200003 END, n, n % 2 = 1, '2026-01-31', ${FILL[engine].at}
  FROM numbers`;

describeEachEngine('A page deep in 200,000 rows', (engine) => {
  let samples: SampleDatabase;
  let table: EntityRepository<Listing>;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    table = new EntityRepository(samples.database, Listing, ListingsQuery);
    for (let rows = 0; rows < ROWS; rows += BATCH) await samples.dataSource.query(fill(engine), [rows]);
    if (engine === 'postgres') await samples.dataSource.query('VACUUM ANALYZE listings');
  });
  afterAll(() => samples.close());

  /** The cursor of a place deep in a list. */
  function cursorAt(query: ListingsQuery, place: Partial<Listing>): string {
    const list = new EntityList(samples.dataSource.getMetadata(Listing), ListingsQuery);
    const { where, order } = list.read(query);
    const filter = filterOfTerms(termsOf(where));
    const [value] = Object.values(place) as BoundValue[];
    if (!order) return encodeCursor(150_000n, filter);
    const named = { ...filter, ' order': `${order.by} ${order.descending ? 'DESC' : 'ASC'}` };
    return encodeOrderedCursor(100_000n, orderText(value), named);
  }

  /** Resolves to the plan of a statement with the values it was run with. */
  async function planOf(statement: Statement<unknown>, values: Record<string, unknown>): Promise<string> {
    const names = Reflect.get(statement, 'names') as string[];
    const bound = names.map((name) => bindable(values[name] as BoundValue, engine));
    const explain = engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN (ANALYZE, BUFFERS)';
    const sql = String(Reflect.get(statement, 'sql'));
    const rows = await samples.dataSource.query<Record<string, string>[]>(`${explain} ${sql}`, bound);
    return rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n');
  }

  it.each<[string, Asked, Partial<Listing>]>([
    ['in the order of an int64', { sort: 'amount' }, { amount: 150_000n }],
    ['in the order of an instant, backwards', { sort: '-at' }, { at: new Date('2026-01-31T09:30:00.300Z') }],
    ['in the order of a text', { sort: 'title' }, { title: 'title 7' }],
    ['of one of several values', { shelf: ['left', 'top'] }, {}],
    [
      'of a range, in its order',
      { sort: '-amount', amountFrom: 5n, amountTo: 199_000n },
      { amount: 90_000n },
    ],
    ['of a beginning, in its order', { sort: 'title', titlePrefix: 'title 1' }, { title: 'title 17' }],
    ['of a value, in another order', { sort: 'amount', isFresh: true }, { amount: 150_000n }],
    ['of several values, in another order', { sort: 'price', shelf: ['left', 'top'] }, { price: 150_000 }],
  ])('is read from an index at its position: %s', async (_title, asked, place) => {
    const query: ListingsQuery = { ...asked, limit: 20 };
    const cursor = cursorAt(query, place);
    const spy = jest.spyOn(samples.database, 'queryReplica');
    const { items, next } = await table.findPage({ ...query, cursor });
    const [[statement, values] = []] = spy.mock.calls;
    spy.mockRestore();
    expect([items.length, typeof next]).toEqual([20, 'string']);
    const plan = (await planOf(statement as Statement<unknown>, values as Record<string, unknown>))
      // What is searched is read from an index, and the page that was found is sorted.
      .replace(/CO-ROUTINE row\n(SEARCH row USING .*)\nSCAN row\nUSE TEMP B-TREE FOR ORDER BY$/, '$1');
    expect(plan).not.toMatch(/TEMP B-TREE FOR ORDER BY|SCAN listings|SCAN row|Seq Scan/);
    // A page of 20 rows takes some hundred blocks at most, of the thousands there are.
    const blocks = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? [];
    expect(Number(blocks[1] ?? 0) + Number(blocks[2] ?? 0)).toBeLessThan(300);
  });
});
