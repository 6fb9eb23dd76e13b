import { AsyncResource } from 'node:async_hooks';
import type { EntityManager, EntitySubscriberInterface } from 'typeorm';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  insertStatement,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { Database } from '../database';

describeEachEngine('A transaction that begins lazily', (engine) => {
  let samples: SampleDatabase;
  let database: Database;
  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
    ({ database } = samples);
  });
  afterEach(() => samples.close());

  const inside = (manager: EntityManager, label: string) => manager.insert(Sample, { label });

  it('takes no connection before its first statement, so others can write meanwhile', async () => {
    const { used } = database.pool;
    const beside = AsyncResource.bind((label: string) => samples.insert(label));
    await database.transaction(async () => {
      await beside('beside');
      expect([database.isInTransaction, database.pool.used]).toEqual([true, used]);
      await samples.insert('within');
      expect(database.pool.used).toBe(used + 1);
    });
    expect([await samples.labels(), database.pool.used]).toEqual([['beside', 'within'], used]);
  });

  it('never begins, and waits for nobody, when it runs no statement', async () => {
    const other = samples.dataSource.createQueryRunner();
    await AsyncResource.bind(() => other.startTransaction())();
    const done: string[] = [];
    const result = await database.transaction(async () => {
      database.afterCommit(() => done.push('after'));
      return Promise.resolve('nothing');
    });
    await other.rollbackTransaction();
    await other.release();
    expect([result, done]).toEqual(['nothing', ['after']]);
  });

  it.each<[string, (database: Database) => Promise<unknown>]>([
    ['of a repository', ({ dataSource }) => dataSource.getRepository(Sample).insert({ label: 'first' })],
    ['of save()', ({ dataSource }) => dataSource.getRepository(Sample).save({ label: 'first' })],
    ['that is prepared', (own) => own.query(insertStatement(own), { label: 'first', amount: null })],
    ['as SQL', ({ dataSource }) => dataSource.query("INSERT INTO samples (label) VALUES ('first')")],
    ['in a savepoint', (own) => own.attempt(() => inside(own.dataSource.manager, 'first'))],
    [
      'in a savepoint by hand',
      async ({ dataSource }) => {
        const runner = dataSource.createQueryRunner();
        await runner.startTransaction();
        await inside(runner.manager, 'first');
        await runner.commitTransaction();
        await runner.release();
      },
    ],
    [
      'on the connection of the driver',
      async ({ dataSource }) => {
        const connection = (await dataSource.createQueryRunner().connect()) as {
          exec?(sql: string): void;
          query?(sql: string): Promise<unknown>;
        };
        const sql = "INSERT INTO samples (label) VALUES ('first')";
        await (connection.exec ? connection.exec(sql) : connection.query?.(sql));
      },
    ],
  ])('rolls back its first statement with the others: one %s', async (_title, first) => {
    const failing = async () => {
      await new Promise(setImmediate);
      await first(database);
      expect(await samples.labels()).toEqual(['first']);
      await samples.insert('second');
      throw new Error('undone');
    };
    await expect(database.transaction(failing)).rejects.toThrow('undone');
    await expect(samples.dataSource.transaction(failing)).rejects.toThrow('undone');
    expect(await samples.labels()).toEqual([]);
  });

  it('includes statements that are started at once, whichever runs first', async () => {
    const insertion = insertStatement(database);
    const failing = async () => {
      await Promise.all([
        database.query(insertion, { label: 'one', amount: null }),
        samples.insert('two'),
        samples.dataSource.query("INSERT INTO samples (label) VALUES ('three')"),
      ]);
      throw new Error('undone');
    };
    await expect(database.transaction(failing)).rejects.toThrow('undone');
    expect(await samples.labels()).toEqual([]);
  });

  it('includes statements that its manager runs in another async context', async () => {
    const elsewhere = AsyncResource.bind(inside);
    const failing = samples.dataSource.transaction(async (manager) => {
      await elsewhere(manager, 'elsewhere');
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await samples.labels()).toEqual([]);
  });

  it('refuses a first statement of its manager after its end', async () => {
    const manager = await samples.dataSource.transaction((given) => Promise.resolve(given));
    await expect(inside(manager, 'late')).rejects.toThrow('The transaction of this work has ended');
    expect(await samples.labels()).toEqual([]);
  });

  it('gives its connection back when its first statement is not awaited', async () => {
    const { used } = database.pool;
    const lost: Promise<unknown>[] = [];
    const failing = database.transaction(() => {
      lost.push(samples.insert('lost'));
      return Promise.reject(new Error('undone'));
    });
    await expect(failing).rejects.toThrow('undone');
    await Promise.allSettled(lost);
    await samples.insert('next');
    expect([await samples.labels(), database.pool.used]).toEqual([['next'], used]);
  });

  it('stores nothing once it could not begin, whatever its work does about that', async () => {
    const refusal = new Error('not now');
    let asked = 0;
    const failing = database.transaction(
      async () => {
        await expect(samples.insert('first')).rejects.toThrow('not now');
        await samples.insert('second').catch(() => undefined);
      },
      () => {
        asked++;
        return Promise.reject(refusal);
      },
    );
    await expect(failing).rejects.toBe(refusal);
    expect([asked, await samples.labels()]).toEqual([1, []]);
  });

  it('lets a subscriber run a query before it begins', async () => {
    const counts: number[] = [];
    const subscriber: EntitySubscriberInterface = {
      beforeTransactionStart: async ({ manager }) => void counts.push(await manager.count(Sample)),
    };
    samples.dataSource.subscribers.push(subscriber);
    await database.transaction(() => samples.insert('within'));
    expect([counts, await samples.labels()]).toEqual([[0], ['within']]);
  });

  it('has its isolation level, and is known to TypeORM as active, before its first statement', async () => {
    await samples.dataSource.transaction('SERIALIZABLE', async (manager) => {
      expect(manager.queryRunner?.isTransactionActive).toBe(true);
      if (engine === 'sqlite') return;
      expect(await manager.query('SHOW transaction_isolation')).toEqual([
        { transaction_isolation: 'serializable' },
      ]);
    });
  });
});
