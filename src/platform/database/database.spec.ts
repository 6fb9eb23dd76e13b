import { describeEachEngine } from '../../../test/support/databases/databases';
import {
  insertStatement,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
  selectStatement,
} from '../../../test/support/databases/sample-database';
import { Database } from './database';
import type { Replicas } from './replicas/replicas';

describeEachEngine('a transaction', (engine) => {
  let samples: SampleDatabase;

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
  });
  afterEach(() => samples.close());

  const failing = async () => {
    await samples.insert('inside');
    throw new Error('changed its mind');
  };

  it('is committed when its work ends', async () => {
    const result = await samples.database.transaction(async () => {
      await samples.insert('inside');
      return 'done';
    });
    expect(result).toBe('done');
    expect(await samples.labels()).toEqual(['inside']);
  });

  it('is rolled back when its work throws, and rejects with the same error', async () => {
    await expect(samples.database.transaction(failing)).rejects.toThrow('changed its mind');
    expect(await samples.labels()).toEqual([]);
  });

  it('rolls back what prepared statements have written', async () => {
    const insert = insertStatement(samples.database);
    const work = async () => {
      await samples.database.query(insert, { label: 'prepared', amount: 1n });
      throw new Error('changed its mind');
    };
    await expect(samples.database.transaction(work)).rejects.toThrow('changed its mind');
    expect(await samples.labels()).toEqual([]);
  });

  it('is joined by a nested transaction, and both end together', async () => {
    const work = async () => {
      await samples.insert('outer');
      await samples.database.transaction(() => samples.insert('inner'));
      throw new Error('changed its mind');
    };
    await expect(samples.database.transaction(work)).rejects.toThrow('changed its mind');
    expect(await samples.labels()).toEqual([]);
  });

  it('includes everything that its work calls, however deep, and shows it what was written', async () => {
    const select = selectStatement(samples.database);
    const deep = async () => {
      await new Promise(setImmediate);
      const rows = await samples.database.query(select, { label: 'inside' });
      return { labels: await samples.labels(), rows: rows.length };
    };
    const seen = await samples.database.transaction(async () => {
      await samples.insert('inside');
      return Promise.all([deep(), deep()]);
    });
    expect(seen).toEqual([
      { labels: ['inside'], rows: 1 },
      { labels: ['inside'], rows: 1 },
    ]);
  });

  it.each(['TypeORM', 'a prepared statement'])(
    'does not include what others write by %s meanwhile',
    async (way) => {
      const insert = insertStatement(samples.database);
      const select = selectStatement(samples.database);
      const opened = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      const transaction = samples.database.transaction(async () => {
        await samples.insert('inside');
        opened.resolve();
        await finish.promise;
        throw new Error('changed its mind');
      });
      await opened.promise;
      const read = samples.database.query(select, { label: 'inside' });
      const written =
        way === 'TypeORM'
          ? samples.insert('outside')
          : samples.database.query(insert, { label: 'outside', amount: null });
      finish.resolve();

      await expect(transaction).rejects.toThrow('changed its mind');
      await written;
      expect(await read).toEqual([]);
      expect(await samples.labels()).toEqual(['outside']);
    },
  );

  it('is invisible to others before it has ended', async () => {
    const seen: string[][] = [];
    const opened = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const transaction = samples.database.transaction(async () => {
      await samples.insert('inside');
      opened.resolve();
      await finish.promise;
    });
    await opened.promise;
    const other = await samples.another();
    seen.push((await other.getRepository(Sample).find()).map(({ label }) => label));
    finish.resolve();
    await transaction;
    seen.push((await other.getRepository(Sample).find()).map(({ label }) => label));

    expect(seen).toEqual([[], ['inside']]);
  });

  it('leaves the connection usable after it has failed', async () => {
    await expect(samples.database.transaction(failing)).rejects.toThrow('changed its mind');
    await samples.database.transaction(() => samples.insert('second'));
    expect(await samples.labels()).toEqual(['second']);
  });

  it('refuses statements of work that outlives it', async () => {
    const insert = insertStatement(samples.database);
    const ended = Promise.withResolvers<void>();
    const strays: Promise<unknown>[] = [];
    await samples.database.transaction(async () => {
      const later = ended.promise;
      strays.push(
        later.then(() => samples.insert('by TypeORM')),
        later.then(() => samples.database.query(insert, { label: 'prepared', amount: null })),
        later.then(() => samples.database.transaction(() => samples.insert('in a transaction'))),
      );
    });
    ended.resolve();

    for (const outcome of await Promise.allSettled(strays)) {
      expect(outcome).toMatchObject({ reason: { message: expect.stringContaining('has ended') } });
    }
    expect(await samples.labels()).toEqual([]);
  });
});

describeEachEngine('The database', (engine) => {
  let samples: SampleDatabase;

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
  });
  afterEach(() => samples.close());

  it('asks replicas outside a transaction alone: a transaction sees its own rows', async () => {
    const read = jest.fn().mockResolvedValue([]);
    const database = new Database(samples.dataSource, { areThere: true, read } as unknown as Replicas);
    const [insert, select] = [insertStatement(database), selectStatement(database)];
    await database.transaction(async () => {
      await database.query(insert, { label: 'own', amount: 1n });
      expect(await database.queryReplica(select, { label: 'own' })).toHaveLength(1);
    });
    expect(read).not.toHaveBeenCalled();
    expect(await database.queryReplica(select, { label: 'own' })).toEqual([]);
    await database.onApplicationShutdown();
  });

  it('runs many transactions at once without mixing them', async () => {
    const pair = (n: number) =>
      samples.database.transaction(async () => {
        await samples.insert(`${n}a`);
        await new Promise(setImmediate);
        if (n % 2 === 1) throw new Error('odd');
        await samples.insert(`${n}b`);
      });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => pair(n)));

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const expected = Array.from({ length: 20 }, (_, n) => (n % 2 === 1 ? [] : [`${n}a`, `${n}b`])).flat();
    expect((await samples.labels()).sort()).toEqual(expected.sort());
  });
});
