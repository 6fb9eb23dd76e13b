import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  openSampleDatabase,
  Sample,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import type { Database } from '../database';

describeEachEngine('Database.attempt()', (engine) => {
  let samples: SampleDatabase;
  let database: Database;
  let done: string[];

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
    database = samples.database;
    done = [];
  });
  afterEach(() => samples.close());

  const add = async (label: string) => {
    await samples.insert(label);
    database.afterCommit(() => void done.push(label));
  };
  const labels = async () => {
    const rows = await database.dataSource.getRepository(Sample).find({ order: { label: 'ASC' } });
    return rows.map(({ label }) => label);
  };

  it('rolls back a failed part with its actions after the commit, and the rest is committed', async () => {
    await database.transaction(async () => {
      await add('a');
      await expect(
        database.attempt(async () => {
          await add('b');
          await database.dataSource.query('SELECT no_such_column FROM nowhere');
        }),
      ).rejects.toThrow(/not migrated/);
      await database.attempt(() => add('c'));
      await expect(
        database.attempt(async () => {
          await add('d');
          await database.attempt(() => add('e'));
          throw new Error('both');
        }),
      ).rejects.toThrow('both');
    });
    expect(await labels()).toEqual(['a', 'c']);
    expect(done).toEqual(['a', 'c']);
  });

  it('is rolled back with the whole transaction', async () => {
    const whole = database.transaction(async () => {
      await database.attempt(() => add('a'));
      throw new Error('the whole');
    });
    await expect(whole).rejects.toThrow('the whole');
    expect([await labels(), done]).toEqual([[], []]);
  });

  it('is a transaction of its own outside of one', async () => {
    await database.attempt(() => add('a'));
    const failing = database.attempt(async () => {
      await add('b');
      throw new Error('alone');
    });
    await expect(failing).rejects.toThrow('alone');
    expect([await labels(), done]).toEqual([['a'], ['a']]);
  });
});
