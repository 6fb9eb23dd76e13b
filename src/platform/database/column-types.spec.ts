import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describeEachEngine } from '../../../test/support/databases';
import {
  insertStatement,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
  selectStatement,
} from '../../../test/support/sample-database';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
const AMOUNTS = [MIN, MIN + 1n, -(2n ** 53n) - 1n, -1n, 0n, 1n, 2n ** 53n + 1n, MAX - 1n, MAX];

describeEachEngine('columns', (engine) => {
  let samples: SampleDatabase;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
  });
  afterAll(() => samples.close());

  async function byTypeorm(label: string): Promise<Sample | null> {
    return samples.database.with(Sample, (repository) => repository.findOneBy({ label }));
  }

  it.each(AMOUNTS)('keep the int64 %s exactly, written and read by TypeORM', async (amount) => {
    const label = `typeorm ${amount}`;
    await samples.database.with(Sample, (repository) => repository.insert({ label, amount }));
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
    await samples.database.with(Sample, (repository) =>
      repository.insert(near.map((amount) => ({ label: `near ${amount}`, amount }))),
    );
    const found = await samples.database.with(Sample, (repository) =>
      repository.findBy({ amount: 2n ** 53n + 1n }),
    );
    expect(found.map(({ label }) => label)).toContain(`near ${2n ** 53n + 1n}`);
    expect(found.every(({ amount }) => amount === 2n ** 53n + 1n)).toBe(true);
  });

  it('read a missing int64 and a missing instant as null', async () => {
    await samples.database.with(Sample, (repository) =>
      repository.insert({ label: 'empty', amount: null, at: null }),
    );
    expect(await byTypeorm('empty')).toMatchObject({ amount: null, at: null });
  });

  it('keep an instant to the millisecond', async () => {
    const year = (n: number) => new Date(Date.UTC(n, 0, 1));
    await fc.assert(
      fc.asyncProperty(fc.date({ min: year(1970), max: year(2200), noInvalidDate: true }), async (at) => {
        const label = `at ${at.toISOString()}`;
        await samples.database.with(Sample, async (repository) => {
          await repository.delete({ label });
          await repository.insert({ label, at });
        });
        expect((await byTypeorm(label))?.at?.toISOString()).toBe(at.toISOString());
      }),
      { numRuns: 50 },
    );
  });

  it('give the same instant in every time zone', async () => {
    // In the hour that New York has twice and the hour that Lord Howe Island skips half of.
    const instants = ['2025-11-02T05:30:00.001Z', '2025-11-02T06:30:00.002Z', '2025-10-04T15:45:00.003Z'];
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
