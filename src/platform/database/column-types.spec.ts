import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { Table } from 'typeorm';
import { describeEachEngine } from '../../../test/support/databases/databases';
import {
  insertStatement,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
  selectStatement,
} from '../../../test/support/databases/sample-database';
import { columnTypes } from './column-types';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
const AMOUNTS = [MIN, MIN + 1n, -(2n ** 53n) - 1n, -1n, 0n, 1n, 2n ** 53n + 1n, MAX - 1n, MAX];

describeEachEngine('Columns', (engine) => {
  let samples: SampleDatabase;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
  });
  afterAll(() => samples.close());

  async function byTypeorm(label: string): Promise<Sample | null> {
    return samples.dataSource.getRepository(Sample).findOneBy({ label });
  }

  it.each(AMOUNTS)('keep the int64 %s exactly, written and read by TypeORM', async (amount) => {
    const label = `typeorm ${amount}`;
    await samples.dataSource.getRepository(Sample).insert({ label, amount });
    expect((await byTypeorm(label))?.amount).toBe(amount);
  });

  it.each(AMOUNTS)('keep the int64 %s exactly, written and read by prepared statements', async (amount) => {
    const label = `prepared ${amount}`;
    const [row] = await samples.database.query(insertStatement(samples.database), { label, amount });
    const found = await samples.database.query(selectStatement(samples.database), { label });
    expect(found).toEqual([{ id: row?.id, amount }]);
    expect(typeof row?.id).toBe('bigint');
  });

  it('find rows by an exact int64, not by the nearest double', async () => {
    const near = [2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 2n];
    await samples.dataSource
      .getRepository(Sample)
      .insert(near.map((amount) => ({ label: `near ${amount}`, amount })));
    const found = await samples.dataSource.getRepository(Sample).findBy({ amount: 2n ** 53n + 1n });
    expect(found.map(({ label }) => label)).toContain(`near ${2n ** 53n + 1n}`);
    expect(found.every(({ amount }) => amount === 2n ** 53n + 1n)).toBe(true);
  });

  it('read a missing int64 and a missing instant as null', async () => {
    await samples.dataSource.getRepository(Sample).insert({ label: 'empty', amount: null, at: null });
    expect(await byTypeorm('empty')).toMatchObject({ amount: null, at: null });
  });

  it('keep an instant to the millisecond', async () => {
    const year = (n: number) => new Date(Date.UTC(n, 0, 1));
    await fc.assert(
      fc.asyncProperty(fc.date({ min: year(1970), max: year(2200), noInvalidDate: true }), async (at) => {
        const label = `at ${at.toISOString()}`;
        const repository = samples.dataSource.getRepository(Sample);
        await repository.delete({ label });
        await repository.insert({ label, at });
        expect((await byTypeorm(label))?.at?.toISOString()).toBe(at.toISOString());
      }),
      { numRuns: 50 },
    );
  });

  if (engine === 'postgres') {
    it('give the last and the first instant for one without an end, as never and long ago', async () => {
      await samples.insert('endless');
      const ends = { infinity: '9999-12-31T23:59:59.999Z', '-infinity': '0001-01-01T00:00:00.000Z' };
      for (const [end, at] of Object.entries(ends)) {
        await samples.dataSource.query(`UPDATE "samples" SET "at" = '${end}' WHERE "label" = 'endless'`);
        expect((await byTypeorm('endless'))?.at).toEqual(new Date(at));
      }
    });

    it('give the last and the first day for one without an end', async () => {
      await samples.insert('daily');
      for (const [end, day] of Object.entries({ infinity: '9999-12-31', '-infinity': '0001-01-01' })) {
        await samples.dataSource.query(`UPDATE "samples" SET "day" = '${end}' WHERE "label" = 'daily'`);
        expect((await byTypeorm('daily'))?.day).toBe(day);
        const [row] = await samples.dataSource.query<{ days: unknown }[]>(
          `SELECT ARRAY["day", NULL] AS days FROM samples WHERE "label" = 'daily'`,
        );
        expect(row?.days).toEqual([day, null]);
      }
    });
  }

  it('give the same instant in every time zone', async () => {
    // Of the time before New York had whole minutes, in the hour that it has twice and in the hour that Lord Howe Island
    // skips half of.
    const instants = [
      '0001-01-01T00:00:00.000Z',
      '1883-11-18T12:03:57.999Z',
      '2025-11-02T05:30:00.001Z',
      '2025-11-02T06:30:00.002Z',
      '2025-10-04T15:45:00.003Z',
    ];
    const zones = ['America/New_York', 'Australia/Lord_Howe', 'UTC'];
    for (const zone of zones) await inZone(zone, 'write', ...instants);
    const written = zones.flatMap((zone) => instants.map((at) => [`${zone} ${at}`, at]));
    for (const zone of zones) {
      expect(JSON.parse(await inZone(zone, 'read'))).toMatchObject(Object.fromEntries(written));
    }
  });

  async function inZone(zone: string, ...command: string[]): Promise<string> {
    const script = join(__dirname, '..', '..', '..', 'test', 'support', 'fixtures', 'instant-process.mjs');
    const env = { PATH: process.env.PATH, TZ: zone };
    const run = promisify(execFile)(process.execPath, [script, samples.url, ...command], { env });
    return (await run).stdout;
  }
});

describeEachEngine('A table made by a migration', (engine) => {
  let samples: SampleDatabase;

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
  });
  afterEach(() => samples.close());

  it('matches its entity when it has the column types of its engine', async () => {
    const runner = samples.dataSource.createQueryRunner();
    const { boolean, date, double, instant, int64, integer, text, uuid } = columnTypes(runner);
    const optional = { amount: int64, at: instant, count: integer, ratio: double };
    await runner.dropTable('samples');
    await runner.createTable(
      new Table({
        name: 'samples',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_samples',
          },
          { name: 'label', type: text },
          ...Object.entries({ ...optional, is_fresh: boolean, day: date, token: uuid }).map(
            ([name, type]) => ({ name, type, isNullable: true }),
          ),
        ],
        uniques: [{ name: 'uq_samples_label', columnNames: ['label'] }],
      }),
    );
    await runner.release();
    const { upQueries } = await samples.dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });
});
