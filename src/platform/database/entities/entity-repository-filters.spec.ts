import fc from 'fast-check';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  Listing,
  openSampleDatabase,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { encodeOrderedCursor } from '../../values/cursor';
import { InvalidCursorError } from '../../errors/http-errors';
import {
  BooleanParameter,
  DateParameter,
  DateTimeParameter,
  EnumParameter,
  Int64Parameter,
  IntegerParameter,
  NumberParameter,
  PrefixParameter,
  SortParameter,
  UuidParameter,
} from '../../validation/parameters';
import { EntityList } from './entity-list';
import { EntityRepository, type New } from './entity-repository';
import type { BoundValue } from '../statements/row-values';
import { orderText } from '../statements/row-order';
import { filterOfTerms, termsOf } from '../statements/where';

const description = 'Keeps some.';

/** Query of a list of listings. */
class ListingsQuery {
  limit!: number;
  cursor?: string;
  @EnumParameter({ Left: 'left', Right: 'right', Top: 'top' }, 'Shelf', { description, isArray: true })
  shelf?: string[];
  @BooleanParameter({ description }) isFresh?: boolean;
  @Int64Parameter({ description, from: 'amount' }) amountFrom?: bigint;
  @Int64Parameter({ description, to: 'amount' }) amountTo?: bigint;
  @NumberParameter({ description, before: 'price' }) priceBefore?: number;
  @DateParameter({ description, from: 'day' }) dayFrom?: string;
  @DateParameter({ description, to: 'day' }) dayTo?: string;
  @DateTimeParameter({ description, from: 'at' }) atFrom?: Date;
  @DateTimeParameter({ description, before: 'at' }) atBefore?: Date;
  @PrefixParameter({ description, prefix: 'title' }) titlePrefix?: string;
  @UuidParameter({ description, isArray: true }) token?: string[];
  @SortParameter('title', 'amount', 'price', 'isFresh', 'day', 'at', 'token', 'createdAt') sort?: string;
}

class OfRank {
  @IntegerParameter({ description, from: 'rank' }) rankFrom?: number;
}

class OfTops {
  @PrefixParameter({ description, prefix: 'shelf' }) shelfPrefix?: string;
}

class ByRank {
  @SortParameter('at', 'rank') sort?: string;
}

class ByShelf {
  @SortParameter('shelf') sort?: string;
}

class ByColour {
  @SortParameter('colour') sort?: string;
}

class OfFresh {
  limit!: number;
  @BooleanParameter({ description }) isFresh?: boolean;
}

class OfColour {
  limit!: number;
  @BooleanParameter({ description }) colour?: boolean;
}

type Asked = Partial<ListingsQuery>;

const UUIDS = ['9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e', '00000000-0000-0000-0000-000000000000'];

/** Values that several rows have. */
const CHOICES = {
  title: ['b', 'a', 'ab', 'a\u{D7FF}', 'a\u{E000}', 'a\u{10FFFF}', 'A', 'a%', `a${'x'.repeat(700)}`],
  shelf: ['left', 'right', 'top'],
  rank: [1],
  amount: [2n ** 53n + 1n, null, 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n],
  price: [0.1, 0.3, null, -1e300],
  isFresh: [true, false],
  day: ['2026-01-31', '0001-01-01', null],
  at: [999, 998, 0].map((ms) => new Date(Date.UTC(2026, 0, 31) + ms)),
  token: [...UUIDS, null],
};

/** Queries of lists, by parameter. */
const WANTED = fc.record(
  {
    shelf: fc.subarray(CHOICES.shelf, { minLength: 1 }),
    isFresh: fc.boolean(),
    amountFrom: fc.constantFrom(2n ** 53n + 1n, -(2n ** 63n)),
    amountTo: fc.constantFrom(2n ** 53n, 2n ** 63n - 1n),
    priceBefore: fc.constantFrom(0.3, 0.30000000000000004, 0.1),
    dayFrom: fc.constantFrom('0001-01-01', '2026-01-31'),
    dayTo: fc.constantFrom('2026-01-31', '2026-01-30'),
    atFrom: fc.constantFrom(...CHOICES.at),
    atBefore: fc.constantFrom(...CHOICES.at),
    titlePrefix: fc.constantFrom('a', 'a\u{D7FF}', 'a\u{10FFFF}', 'a%', '\u{10FFFF}', 'ax'),
    token: fc.subarray(UUIDS, { minLength: 1 }),
    sort: fc.constantFrom(
      'title',
      '-title',
      'amount',
      '-amount',
      'price',
      'day',
      '-day',
      '-at',
      'token',
      'id',
    ),
  },
  { requiredKeys: [] },
);

function listingAt(place: number): New<Listing> {
  const values = Object.entries(CHOICES).map(([name, choices], index) => [
    name,
    choices[(place + index * (place >> 3)) % choices.length],
  ]);
  return Object.fromEntries(values) as New<Listing>;
}

/** Tells by the values themselves whether a row matches the query. */
function isWanted(row: Listing, asked: Asked): boolean {
  const { shelf, isFresh, amountFrom, amountTo, priceBefore, dayFrom, dayTo } = asked;
  const { atFrom, atBefore, titlePrefix, token } = asked;
  return (
    (!shelf || shelf.includes(row.shelf)) &&
    (isFresh === undefined || isFresh === row.isFresh) &&
    (amountFrom === undefined || (row.amount !== null && row.amount >= amountFrom)) &&
    (amountTo === undefined || (row.amount !== null && row.amount <= amountTo)) &&
    (priceBefore === undefined || (row.price !== null && row.price < priceBefore)) &&
    (dayFrom === undefined || (row.day !== null && row.day >= dayFrom)) &&
    (dayTo === undefined || (row.day !== null && row.day <= dayTo)) &&
    (!atFrom || row.at >= atFrom) &&
    (!atBefore || row.at < atBefore) &&
    (titlePrefix === undefined || row.title.startsWith(titlePrefix)) &&
    (!token || (row.token !== null && token.includes(row.token)))
  );
}

describeEachEngine('A list with a query class', (engine) => {
  let samples: SampleDatabase;
  let table: EntityRepository<Listing>;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    table = new EntityRepository(samples.database, Listing, ListingsQuery);
  });
  afterAll(() => samples.close());

  /** Walks through a list, page by page. */
  async function walk(asked: Asked, limit: number, between = () => Promise.resolve()): Promise<bigint[]> {
    const seen: bigint[] = [];
    let cursor: string | undefined;
    do {
      const page = await table.findPage({ ...asked, limit, cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next;
      await between();
    } while (cursor !== undefined);
    return seen;
  }

  it('has each remaining row exactly once, with any filters and order, while others come and go', async () => {
    const stay = await table.insertMany(Array.from({ length: 90 }, (_, place) => listingAt(place)));
    const others: bigint[] = [];
    let place = 0;
    const comeAndGo = async () => {
      const { id } = await table.insert(listingAt((place += 7)));
      others.push(id);
      if (place % 2 === 0) await table.delete(others.shift() as bigint);
    };
    const walked = fc.asyncProperty(WANTED, fc.integer({ min: 3, max: 20 }), async (asked, limit) => {
      const seen = await walk(asked, limit, comeAndGo);
      expect(new Set(seen).size).toBe(seen.length);
      const ids = new Set(stay.map(({ id }) => id));
      const wanted = stay.filter((row) => isWanted(row, asked)).map(({ id }) => id);
      expect(seen.filter((id) => ids.has(id)).toSorted()).toEqual(wanted.toSorted());
    });
    await fc.assert(walked, { numRuns: 60 });
  });

  it('accepts a cursor with the same filters written in another order, and refuses it with other filters or another sort', async () => {
    const asked: Asked = { shelf: ['left', 'top'], atFrom: CHOICES.at[2], sort: '-day' };
    const { next: cursor } = await table.findPage({ ...asked, limit: 2 });
    const again = (other: Asked) => table.findPage({ ...asked, ...other, limit: 2, cursor });
    expect((await again({ shelf: ['top', 'left'] })).items).toHaveLength(2);
    for (const other of [
      { sort: 'day' },
      { sort: undefined },
      { sort: '-at' },
      { shelf: ['left'] },
      { shelf: undefined },
      { atFrom: CHOICES.at[1] },
      { atFrom: undefined, atBefore: CHOICES.at[2] },
      { titlePrefix: 'a' },
    ]) {
      await expect(again(other)).rejects.toThrow(InvalidCursorError);
    }
  });

  it.each<[Asked, BoundValue]>([
    [{ sort: 'amount', amountFrom: 5n }, 4n],
    [{ sort: '-amount', amountTo: 5n }, 6n],
    [{ sort: '-price', priceBefore: 0.3 }, 0.3],
    [{ sort: 'at', atFrom: CHOICES.at[0] }, CHOICES.at[1]],
    [{ sort: 'title', titlePrefix: 'b' }, 'a\u{10FFFF}'],
    [{ sort: '-title', titlePrefix: 'b' }, 'c'],
  ])('refuses a forged cursor with a position outside the list: %p', async (asked, value) => {
    const by = String(asked.sort).replace('-', '');
    const { sort: _sort, ...filters } = asked;
    const { where } = new EntityList(samples.dataSource.getMetadata(Listing), ListingsQuery).read(filters);
    const filter = {
      ...filterOfTerms(termsOf(where)),
      ' order': `${by} ${asked.sort === by ? 'ASC' : 'DESC'}`,
    };
    const cursor = encodeOrderedCursor(1n, orderText(value), filter);
    await expect(table.findPage({ ...asked, limit: 2, cursor })).rejects.toThrow(InvalidCursorError);
  });

  it('has full pages of three values, of which the statement has four places', async () => {
    await table.insertMany(Array.from({ length: 60 }, (_, place) => listingAt(place)));
    const asked = { shelf: ['left', 'right', 'top'], limit: 20 } as ListingsQuery;
    const { items, next } = await table.findPage(asked);
    expect([items.length, typeof next]).toEqual([20, 'string']);
  });

  it('is refused by a repository that was not told about the query class', async () => {
    const untold = new EntityRepository(samples.database, Listing);
    const query = Object.assign(new ListingsQuery(), { limit: 2 });
    await expect(untold.findPage(query)).rejects.toThrow(
      'ListingsQuery declares more than values to filter by: pass the class to the repository, as super(database, <entity>, ListingsQuery).',
    );
  });

  it('is refused by a repository that was not told when a value that is asked for is no condition either', async () => {
    const untold = new EntityRepository(samples.database, Listing);
    const query = Object.assign(new OfFresh(), { limit: 2, isFresh: true });
    await expect(untold.findPage(query)).rejects.toThrow(
      'OfFresh filters by isFresh, which is no condition of the list: pass the class to the repository, as super(database, <entity>, OfFresh), or isFresh to findPage().',
    );
    const { items } = await untold.findPage(query, { isFresh: query.isFresh });
    expect(items.map(({ isFresh }) => isFresh)).toEqual([true, true]);
    await expect(untold.findPage(Object.assign(new OfFresh(), { limit: 2 }))).resolves.toBeDefined();
    await expect(
      untold.findPage(Object.assign(new OfColour(), { limit: 2, colour: true })),
    ).resolves.toBeDefined();
  });

  it('is also filtered by the conditions of its caller, which win over the query', async () => {
    const own = { shelf: 'left', amount: { from: 0n } };
    const { items } = await table.findPage({ limit: 100, shelf: ['right'] } as ListingsQuery, own);
    expect(items.length).toBeGreaterThan(3);
    for (const { shelf, amount } of items) expect([shelf, (amount ?? -1n) >= 0n]).toEqual(['left', true]);
    expect((await table.findPage({ limit: 100 }, { shelf: { in: [] } })).items).toEqual([]);
  });

  it.each([
    ['OfRank filters by rank (rankFrom), but listings has no index on (rank, id).', OfRank],
    [
      'OfTops filters by shelf (shelfPrefix), but listings has no index on (shelf, id) that createTextIndex() makes.',
      OfTops,
    ],
    ['ByRank sorts by rank, but listings has no index on (rank, id).', ByRank],
    [
      'ByShelf sorts by shelf, but listings has no index on (shelf, id) that createTextIndex() makes.',
      ByShelf,
    ],
    ['ByColour sorts by colour, which listings has no column for.', ByColour],
    ['OfColour filters by colour (colour), which listings has no column for.', OfColour],
  ])('stops the start when no index serves it: %s', (message, query) => {
    expect(() => new EntityRepository(samples.database, Listing, query)).toThrow(message);
  });
});
