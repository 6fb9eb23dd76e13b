import fc from 'fast-check';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  newSample,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
  Span,
} from '../../../../test/support/databases/sample-database';
import { EntityRepository } from './entity-repository';

const UUID = '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e';
const NIL = '00000000-0000-0000-0000-000000000000';

/** Two values of each column, which rows have in every combination of the first five. */
const VALUES = {
  amount: [2n ** 53n, 2n ** 53n + 1n],
  count: [-1, 7],
  ratio: [0.1, 1],
  isFresh: [true, false],
  day: ['0001-01-01', '2026-01-31'],
  at: [new Date('1883-11-18T12:03:58.001Z'), new Date('2026-01-31T09:30:00.999Z')],
  token: [UUID, NIL],
};

type Filter = Partial<Sample>;

/** Returns the sample at an index: each bit of the index chooses between two values; the last of every seven has no value. */
function sampleAt(place: number) {
  if (place % 7 === 6) return newSample(`row ${place}`);
  const values = Object.entries(VALUES).map(([name, choices], bit) => [
    name,
    choices[(place >> (bit % 5)) & 1],
  ]);
  return newSample(`row ${place}`, Object.fromEntries(values) as Filter);
}

describeEachEngine('A page of rows', (engine) => {
  let samples: SampleDatabase;
  let table: EntityRepository<Sample>;
  let all: Sample[];

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    table = new EntityRepository(samples.database, Sample);
    await table.insertMany(Array.from({ length: 64 }, (_, place) => sampleAt(place)));
    await table.delete(10n);
    all = await table.findAfter({ after: 0n, limit: 100 });
  });
  afterAll(() => samples.close());

  /** Computes the expected page from the rows themselves. */
  function expected(filter: Filter, after: bigint, limit: number): Sample[] {
    const isWanted = (row: Sample) =>
      row.id > after &&
      Object.entries(filter).every(([name, value]) => {
        const own = row[name as keyof Sample];
        return value instanceof Date ? own?.valueOf() === value.valueOf() : own === value;
      });
    return all.filter(isWanted).slice(0, limit);
  }

  it('has every row that is there, in ascending order of keys', () => {
    const places = Array.from({ length: 64 }, (_, place) => place).filter((place) => place !== 9);
    expect(all.map(({ id }) => id)).toEqual(places.map((place) => BigInt(place + 1)));
    expect(all.map(({ id: _id, ...row }) => row)).toStrictEqual(places.map(sampleAt));
  });

  it.each([
    ['from the first row', 0n, 5],
    ['after a row', 20n, 5],
    ['after a row that is gone', 10n, 5],
    ['of one row', 63n, 1],
    ['beyond the last row', 64n, 5],
    ['near the end', 62n, 5],
    ['from before all keys', -(2n ** 63n), 100],
    ['after the last possible key', 2n ** 63n - 1n, 100],
    ['of no rows', 0n, 0],
  ])('is read by its key: %s', async (_where, after, limit) => {
    expect(await table.findAfter({ after, limit })).toStrictEqual(expected({}, after, limit));
  });

  it.each(
    Object.entries(VALUES).flatMap(([name, choices]) => choices.map((value) => [name, value] as const)),
  )('has the rows of one %s only: %p', async (name, value) => {
    const rows = await table.findAfter({ after: 0n, limit: 100 }, { [name]: value });
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.length).toBeLessThan(50);
    expect(rows).toStrictEqual(expected({ [name]: value }, 0n, 100));
  });

  it('has the rows with one text only', async () => {
    expect(await table.findAfter({ after: 0n, limit: 100 }, { label: 'row 20' })).toMatchObject([
      { id: 21n },
    ]);
    expect(await table.findAfter({ after: 0n, limit: 100 }, { label: 'ROW 20' })).toEqual([]);
  });

  it.each([
    ['int64', { amount: 2n ** 53n + 2n }],
    ['integer', { count: 8 }],
    ['double', { ratio: 0.1 + Number.EPSILON }],
    ['date', { day: '2026-02-01' }],
    ['instant', { at: new Date('2026-01-31T09:30:00.998Z') }],
    ['UUID', { token: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }],
    ['text', { label: '' }],
  ] as [string, Filter][])('is empty for a value of type %s that no row has', async (_type, filter) => {
    expect(await table.findAfter({ after: 0n, limit: 100 }, filter)).toEqual([]);
  });

  it('ignores a filter that is undefined', async () => {
    const window = { after: 0n, limit: 100 };
    expect(await table.findAfter(window, { amount: undefined, day: undefined })).toStrictEqual(all);
    expect(await table.findAfter(window, { isFresh: false, count: undefined })).toStrictEqual(
      expected({ isFresh: false }, 0n, 100),
    );
  });

  it('has the rows that match all filters, in whichever order these are named', async () => {
    const filters = fc.shuffledSubarray(Object.keys(VALUES) as (keyof typeof VALUES)[], {
      minLength: 2,
      maxLength: 4,
    });
    const after = fc.bigInt({ min: -1n, max: 66n });
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.nat(63),
        after,
        fc.integer({ min: 1, max: 70 }),
        async (names, bits, from, limit) => {
          const filter: Filter = Object.fromEntries(
            names.map((name, n) => [name, VALUES[name][(bits >> n) & 1]]),
          );
          const rows = await table.findAfter({ after: from, limit }, filter);
          expect(rows).toStrictEqual(expected(filter, from, limit));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('walks through all rows once, page by page', async () => {
    const seen: bigint[] = [];
    // More often than there are pages, but not for ever.
    for (let pages = 0; pages < 64; pages++) {
      const rows = await table.findAfter({ after: seen.at(-1) ?? 0n, limit: 5 }, { isFresh: true });
      seen.push(...rows.map(({ id }) => id));
    }
    expect(seen).toEqual(expected({ isFresh: true }, 0n, 100).map(({ id }) => id));
  });

  it('has the rows of a filter whatever its member is called', async () => {
    const spans = new EntityRepository(samples.database, Span);
    await spans.insertMany([1, 2, 3].map((n) => ({ after: BigInt(n), limit: n })));
    const window = { after: 0n, limit: 10 };
    expect(await spans.findAfter(window, { after: 2n })).toEqual([{ id: 2n, after: 2n, limit: 2 }]);
    expect(await spans.findAfter(window, { limit: 3 })).toEqual([{ id: 3n, after: 3n, limit: 3 }]);
  });
});
