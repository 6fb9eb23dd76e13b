import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  Listing,
  openSampleDatabase,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { InvalidCursorError } from '../../errors/http-errors';
import { decodeOrderedCursor, encodeOrderedCursor, MAX_CURSOR_LENGTH } from '../../values/cursor';
import { EntityRepository, type New } from './entity-repository';
import type { RowOrder } from '../statements/row-order';
import { createTextIndex, type TextIndex, textIndexesOf } from '../statements/text-index';

type Order = RowOrder<keyof Listing>;

/** A text that begins like others, and is longer than a cursor, and than the part of it in an index of PostgreSQL. */
const LONG = 'Æ'.repeat(600);

/** Values that several rows have, in no order. */
const CHOICES = {
  title: ['b', 'B', 'ä', 'a', '\u{1F436}', '\uFF5E', `${LONG}b`, `${LONG}a`, '', 'a b'],
  shelf: ['left', 'right'],
  rank: [2, -7, 2 ** 31 - 1],
  amount: [2n ** 53n + 1n, null, 2n ** 53n, -(2n ** 63n)],
  price: [0.1, 0.3, null, -1e300, 0.1 + 0.2],
  isFresh: [true, false],
  day: ['2026-01-31', '0001-01-01', null],
  at: [new Date('2026-01-31T09:30:00.999Z'), new Date('2026-01-31T09:30:00.998Z')],
  token: ['9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e', null, '00000000-0000-0000-0000-000000000000'],
};

function listingAt(place: number): New<Listing> {
  const values = Object.entries(CHOICES).map(([name, choices]) => [name, choices[place % choices.length]]);
  return Object.fromEntries(values) as New<Listing>;
}

/** Returns the comparison of two rows in an order. */
function comparison({ by, descending }: Order): (one: Listing, other: Listing) => number {
  const direction = descending ? -1 : 1;
  return (one, other) => {
    const [a, b] = [one[by], other[by]];
    if (a === null || b === null)
      return Number(a === null) - Number(b === null) || direction * Number(one.id - other.id);
    const [c, d] = [sortable(a), sortable(b)];
    return direction * (c < d ? -1 : c > d ? 1 : Number(one.id - other.id));
  };
}

/** UTF-8 sorts as the code points do; the 16-bit units of JavaScript do not. */
function sortable(value: unknown): string | number | bigint {
  return typeof value === 'string' ? Buffer.from(value).toString('latin1') : (value as number | bigint);
}

const ORDERS: Order[] = (
  ['id', 'title', 'amount', 'price', 'isFresh', 'day', 'at', 'token', 'createdAt'] as const
).flatMap((by) => [
  { by, descending: false },
  { by, descending: true },
]);

describeEachEngine('A page sorted by a column', (engine) => {
  let samples: SampleDatabase;
  let table: EntityRepository<Listing>;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    table = new EntityRepository(samples.database, Listing);
    if (engine === 'postgres') await useLocale();
  });
  afterAll(() => samples.close());
  beforeEach(async () => {
    await samples.dataSource.getRepository(Listing).clear();
    await table.insertMany(Array.from({ length: 23 }, (_, place) => listingAt(place)));
  });

  /** Gives titles the collation that a database with another locale than C has by default. */
  async function useLocale(): Promise<void> {
    await samples.dataSource.query('ALTER TABLE "listings" ALTER "title" TYPE text COLLATE "en-x-icu"');
    const [index] = textIndexesOf(samples.dataSource.getMetadata(Listing));
    await samples.dataSource.query(`DROP INDEX "${index?.name}"`);
    await createTextIndex(samples.dataSource.createQueryRunner(), index as TextIndex);
  }

  /** Resolves to all rows in the order they must have: texts by their code points, and rows without a value last. */
  async function inOrder({ by, descending }: Order, where: { shelf?: string } = {}): Promise<bigint[]> {
    const rows = await samples.dataSource
      .getRepository(Listing)
      .find({ where, select: { id: true, [by]: true } });
    return rows.toSorted(comparison({ by, descending })).map(({ id }) => id);
  }

  /** Walks through a list, page by page; between two pages something may happen to the last row of the first. */
  async function walk(
    order: Order,
    where: Partial<Listing> = {},
    between: (last: Listing) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<bigint[]> {
    const seen: bigint[] = [];
    let cursor: string | undefined;
    do {
      const { items, next } = await table.findPage({ limit: 3, cursor }, where, order);
      seen.push(...items.map(({ id }) => id));
      if (next !== undefined) {
        expect(next.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
        await between(items.at(-1) as Listing);
      }
      cursor = next;
    } while (cursor !== undefined);
    return seen;
  }

  it.each(ORDERS)('has every row once: $by, descending $descending', async (order) => {
    const expected = await inOrder(order);
    expect(expected).toHaveLength(23);
    expect(await walk(order)).toEqual(expected);
  });

  it.each(ORDERS.filter(({ by }) => by !== 'title'))(
    'continues after a row that was deleted meanwhile: $by, descending $descending',
    async (order) => {
      const expected = await inOrder(order);
      expect(await walk(order, {}, ({ id }) => table.delete(id))).toEqual(expected);
    },
  );

  it('has every row once even when others have stored times with other digits', async () => {
    const order: Order = { by: 'at', descending: false };
    // Of the last millisecond before another; a file of SQLite may have any text.
    await samples.dataSource.query(
      engine === 'postgres'
        ? `UPDATE "listings" SET "at" = "at" + ("id" % 7) * interval '99 microseconds'`
        : `UPDATE "listings" SET "at" = CASE "id" % 4 WHEN 0 THEN "at" || '099' WHEN 1 THEN substr("at", 1, 19)
            WHEN 2 THEN replace("at", ' ', 'T') || 'Z' ELSE "at" END`,
    );
    for (const descending of [false, true]) {
      const seen = await walk({ ...order, descending });
      expect(seen).toHaveLength(23);
      expect(new Set(seen).size).toBe(23);
    }
    const page = await table.findPage({ limit: 1 }, {}, order);
    expect(Object.keys(page.items[0] as object).toSorted()).toEqual(
      Object.keys((await table.findPage({ limit: 1 })).items[0] as object).toSorted(),
    );
  });

  if (engine === 'postgres') {
    it('has every row once even when others have stored days without an end', async () => {
      await samples.dataSource.query(
        `UPDATE "listings" SET "day" = CASE "id" % 3 WHEN 0 THEN '-infinity' ELSE 'infinity' END::date WHERE "id" % 2 = 0`,
      );
      for (const descending of [false, true]) {
        const seen = await walk({ by: 'day', descending });
        expect(seen).toHaveLength(23);
        expect(new Set(seen).size).toBe(23);
      }
    });
  }

  it('continues at the former position of a row whose value has changed', async () => {
    const order: Order = { by: 'amount', descending: false };
    const expected = await inOrder(order);
    const change = (row: Listing) => table.update({ ...row, amount: null, title: 'changed' });
    const seen = await walk(order, {}, change);
    expect(new Set(seen)).toEqual(new Set(expected));
  });

  it('has filtered rows in the order of an index that begins with the filter', async () => {
    const order: Order = { by: 'rank', descending: true };
    const expected = await inOrder(order, { shelf: 'left' });
    expect(expected).toHaveLength(12);
    expect(await walk(order, { shelf: 'left' })).toEqual(expected);
  });

  it('is refused for an order without an index, because each page would sort the whole list', async () => {
    await expect(table.findPage({ limit: 3 }, {}, { by: 'rank', descending: false })).rejects.toThrow(
      'listings has no index on (rank, id), so no page can be read in that order.',
    );
  });

  it('selects only the columns that are served and the one it is sorted by', async () => {
    const [served] = (await table.findPage({ limit: 1 })).items;
    expect(Object.keys(served as object)).not.toContain('createdAt');
    const [dated] = (await table.findPage({ limit: 1 }, {}, { by: 'createdAt', descending: false })).items;
    expect(dated?.createdAt).toBeInstanceOf(Date);
  });

  it('has rows from elsewhere at the times that they bring', async () => {
    const createdAt = new Date('2019-05-01T00:00:00Z');
    const [many] = await table.insertMany([{ ...listingAt(23), createdAt }]);
    const one = await table.insert({ ...listingAt(24), createdAt: new Date(createdAt.getTime() + 1) });
    const oldest = await table.findPage({ limit: 2 }, {}, { by: 'createdAt', descending: false });
    expect(oldest.items.map(({ id }) => id)).toEqual([many?.id, one.id]);
  });

  it.each([...ORDERS, { by: 'rank', descending: true } as const])(
    'is read from an index, without sorting: $by, descending $descending',
    async (order) => {
      // The planner of PostgreSQL sorts a table as small as this one.
      if (engine === 'postgres') return;
      const query = jest.spyOn(samples.database, 'queryReplica');
      await walk(order, order.by === 'rank' ? { shelf: 'left' } : {});
      const statements = new Set(
        query.mock.calls.map(([statement]) => String(Reflect.get(statement, 'sql'))),
      );
      query.mockRestore();
      expect(statements.size).toBeGreaterThan(1);
      for (const sql of statements) {
        const values = Array.from(sql.matchAll(/\?/g), () => 1);
        const plan = await samples.dataSource.query<{ detail: string }[]>(
          `EXPLAIN QUERY PLAN ${sql}`,
          values,
        );
        expect(plan.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE');
      }
    },
  );

  describe('is refused for a cursor', () => {
    const order: Order = { by: 'day', descending: false };
    const filter = { ' order': 'day ASC' };

    async function expectInvalid(cursor: string, of = order, where: Partial<Listing> = {}): Promise<void> {
      await expect(table.findPage({ limit: 3, cursor }, where, of)).rejects.toThrow(InvalidCursorError);
    }

    it('of another order, another filter or the list by key', async () => {
      const { next = '' } = await table.findPage({ limit: 3 }, {}, order);
      await expectInvalid(next, { by: 'day', descending: true });
      await expectInvalid(next, { by: 'at', descending: false });
      await expectInvalid(next, order, { shelf: 'left' });
      await expectInvalid((await table.findPage({ limit: 3 })).next as string);
      await expect(table.findPage({ limit: 3, cursor: next })).rejects.toThrow(InvalidCursorError);
    });

    it.each([
      ['day', '2026-02-30'],
      ['amount', '9223372036854775808'],
      ['amount', '01'],
      ['price', '1e400'],
      ['price', 'a'],
      ['isFresh', 'yes'],
      ['at', '2026-01-31'],
      ['token', 'z'],
      ['title', 'a\0'],
      ['at', null],
    ] as const)('that a client has made up: %s %j', async (by, value) => {
      await expectInvalid(encodeOrderedCursor(1n, value, { ' order': `${by} ASC` }), {
        by,
        descending: false,
      });
    });

    it('that is not written as this service writes it', async () => {
      const good = encodeOrderedCursor(1n, '2026-01-31', filter);
      expect(decodeOrderedCursor(good, filter)).toEqual({ key: 1n, value: '2026-01-31', isDigest: false });
      for (const text of ['', 'A', good.slice(1), `${good}A`, good.slice(0, -13) + good.slice(-12), 'é']) {
        await expectInvalid(text);
      }
    });

    it('at a long text that has been changed or deleted meanwhile', async () => {
      const byTitle: Order = { by: 'title', descending: false };
      const row = await table.insert({ ...listingAt(0), title: `${LONG}c` });
      const cursor = encodeOrderedCursor(row.id, row.title, { ' order': 'title ASC' });
      await table.findPage({ limit: 3, cursor }, {}, byTitle);
      await table.update({ ...row, title: 'short' });
      await expectInvalid(cursor, byTitle);
      await table.delete(row.id);
      await expectInvalid(cursor, byTitle);
    });
  });
});

describeEachEngine('the rows of an entity', (engine) => {
  let samples: SampleDatabase;
  let table: EntityRepository<Listing>;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    table = new EntityRepository(samples.database, Listing);
    await table.insertMany(Array.from({ length: 1_010 }, (_, rank) => ({ ...listingAt(rank), rank })));
  });
  afterAll(() => samples.close());

  it('are counted by their values, up to a limit', async () => {
    expect(await table.count({}, 2_000)).toBe(1_010);
    expect(await table.count({}, 100)).toBe(100);
    expect(await table.count({ shelf: 'left', isFresh: undefined }, 2_000)).toBe(505);
    expect(await table.count({ shelf: 'nowhere' }, 2_000)).toBe(0);
  });

  it('are deleted in batches: those of which a value is less than another', async () => {
    expect(await table.deleteBatch('rank', 1_005)).toBe(true);
    expect(await table.count({}, 2_000)).toBe(10);
    expect(await table.deleteBatch('rank', 1_005)).toBe(false);
    expect(await table.deleteBatch('rank', 1_005)).toBe(false);
    const left = await table.findAfter({ after: 0n, limit: 10 });
    expect(left.map(({ rank }) => rank)).toEqual([1_005, 1_006, 1_007, 1_008, 1_009]);
  });
});
