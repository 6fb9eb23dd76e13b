import fc from 'fast-check';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  newSample,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { EntityRepository, type New } from '../entities/entity-repository';

type Values = Partial<New<Sample>>;

const instant = (text: string) => new Date(text);

/** Values of each column, the extremes among them. */
const VALUES: [keyof Values, unknown[]][] = [
  ['amount', [-(2n ** 63n), -(2n ** 53n) - 1n, -1n, 0n, 1n, 2n ** 53n + 1n, 2n ** 63n - 1n]],
  ['count', [-(2 ** 31), -1, 0, 1, 2 ** 31 - 1]],
  [
    'ratio',
    [
      0,
      1,
      -1,
      0.1,
      1 / 3,
      2 ** 53 + 2,
      -1e21,
      5e-324,
      -5e-324,
      2.2250738585072014e-308,
      1.7976931348623157e308,
      -1.7976931348623157e308,
    ],
  ],
  ['isFresh', [true, false]],
  ['day', ['0001-01-01', '0099-12-31', '1582-10-10', '1883-11-18', '2024-02-29', '9999-12-31']],
  [
    'at',
    [
      '0001-01-01T00:00:00.000Z',
      '0099-12-31T23:59:59.999Z',
      '1582-10-10T12:00:00.000Z',
      '1883-11-18T12:03:57.999Z',
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00.000Z',
      '2025-11-02T05:30:00.001Z',
      '9999-12-31T23:59:59.999Z',
    ].map(instant),
  ],
  [
    'token',
    [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '12345678-9012-3456-7890-123456789012',
    ],
  ],
];
const CASES = VALUES.flatMap(([name, values]) =>
  values.map((value): [keyof Values, unknown] => [name, value]),
);
const TEXTS = [
  '',
  ' ',
  'NULL',
  '007',
  '1e3',
  '2026-01-31 00:00:00.000',
  "it's; --",
  'Ünïcödé 🐕',
  '\uFEFFx',
  'a\r\n\tb',
  'x'.repeat(100_000),
];

describeEachEngine('A value of a row', (engine) => {
  let samples: SampleDatabase;
  let table: EntityRepository<Sample>;
  let serial = 0;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    table = new EntityRepository(samples.database, Sample);
  });
  afterAll(() => samples.close());

  function sampleWith(values: Values): New<Sample> {
    return newSample(`sample ${serial++}`, values);
  }

  async function stored(id: bigint): Promise<object> {
    return { ...(await table.findOne(id)) };
  }

  it.each(CASES)('is kept exactly: %s %p', async (name, value) => {
    const row = sampleWith({ [name]: value });
    const { id } = await table.insert(row);
    expect(await stored(id)).toStrictEqual({ id, ...row });
  });

  it.each(CASES)('is kept exactly by an update and a locking read: %s %p', async (name, value) => {
    const row = await table.insert(sampleWith({}));
    await table.update({ ...row, [name]: value });
    await samples.database.transaction(async () => {
      expect({ ...(await table.findOneForUpdate(row.id)) }).toStrictEqual({ ...row, [name]: value });
    });
  });

  it.each(CASES)('is the same in TypeORM: %s %p', async (name, value) => {
    const { id } = await table.insert(sampleWith({ [name]: value }));
    const found = await samples.dataSource.getRepository(Sample).findOneByOrFail({ id, [name]: value });
    expect(found[name]).toStrictEqual(value);
    const label = `typeorm ${id}`;
    await samples.dataSource.getRepository(Sample).insert({ label, [name]: value });
    const [row] = await table.findAfter({ after: id, limit: 1 }, { [name]: value });
    expect({ ...row }).toStrictEqual({ id: row?.id, ...newSample(label), [name]: value });
  });

  it('is kept exactly in a multi-row insertion', async () => {
    const rows = Array.from({ length: 210 }, (_, n) => {
      const values = VALUES.map(([name, choices]) => [name, choices[n % choices.length]]);
      return sampleWith(Object.fromEntries(values) as Values);
    });
    const { id: after } = await table.insert(sampleWith({}));
    await table.insertMany(rows);
    const page = await table.findAfter({ after, limit: 1_000 });
    expect(page.map(({ id: _id, ...row }) => row)).toStrictEqual(rows);
  });

  it.each(TEXTS)('is kept exactly: text %j', async (text) => {
    const { id } = await table.insert(newSample(text));
    expect(await stored(id)).toStrictEqual({ id, ...newSample(text) });
  });

  it('is kept for arbitrary values', async () => {
    const values = fc.record({
      amount: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      count: fc.integer(),
      ratio: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      isFresh: fc.option(fc.boolean()),
      at: fc.date({
        min: instant('0001-01-01T00:00:00Z'),
        max: instant('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      }),
      token: fc.option(fc.uuid()),
    });
    await fc.assert(
      fc.asyncProperty(values, async (all) => {
        const row = sampleWith({ ...all, day: all.at.toISOString().slice(0, 10) });
        const { id } = await table.insert(row);
        expect(await stored(id)).toStrictEqual({ id, ...row });
      }),
      { numRuns: 100 },
    );
  });

  it('is stored as 0 when it is -0', async () => {
    const { id } = await table.insert(sampleWith({ ratio: -0 }));
    expect(Math.abs((await table.findOne(id))?.ratio as number)).toBe(0);
  });
});
