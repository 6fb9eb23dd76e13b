import { Logger } from '@nestjs/common';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  insertStatement,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
  selectStatement,
} from '../../../../test/support/databases/sample-database';
import { until } from '../../../../test/support/until';
import type { PetstoreDataSource } from './petstore-data-source';

describeEachEngine('The data source of TypeORM', (engine) => {
  let samples: SampleDatabase;
  let dataSource: PetstoreDataSource;

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
    ({ dataSource } = samples);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await samples.close();
  });

  const insert = (label: string) => dataSource.getRepository(Sample).insert({ label });

  it('takes part in a transaction of the Database class, and the other way round', async () => {
    const insertion = insertStatement(samples.database);
    const failing = async (prefix: string) => {
      await insert(`${prefix} by TypeORM`);
      await samples.database.query(insertion, { label: `${prefix} prepared`, amount: null });
      throw new Error('undone');
    };
    await expect(samples.database.transaction(() => failing('one'))).rejects.toThrow('undone');
    await expect(dataSource.transaction(() => failing('two'))).rejects.toThrow('undone');
    expect(await samples.labels()).toEqual([]);
  });

  it('never waits for a lock that its own transaction holds', async () => {
    const select = selectStatement(samples.database);
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.manager.insert(Sample, { label: 'by hand' });
    await insert('by a repository');
    await samples.database.transaction(() => samples.insert('in a transaction'));
    expect(await samples.database.query(select, { label: 'by hand' })).toHaveLength(1);
    await runner.rollbackTransaction();
    await runner.release();
    expect(await samples.labels()).toEqual([]);
  });

  it('runs actions before and after the commit in a transaction begun by hand', async () => {
    const done: string[] = [];
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    samples.database.beforeCommit(async () => {
      await insert('before the commit');
      done.push('before');
    });
    samples.database.afterCommit(() => done.push('after'));
    expect(done).toEqual([]);
    await runner.commitTransaction();
    await runner.release();
    expect(done).toEqual(['before', 'after']);
    expect(await samples.labels()).toEqual(['before the commit']);
    expect(samples.database.isInTransaction).toBe(false);
  });

  it('drops actions after the commit that a failed nested transaction has added', async () => {
    const done: string[] = [];
    await dataSource.transaction(async (manager) => {
      samples.database.afterCommit(() => done.push('outer'));
      const nested = manager.transaction(async () => {
        samples.database.afterCommit(() => done.push('nested'));
        throw new Error('undone');
      });
      await expect(nested).rejects.toThrow('undone');
    });
    expect(done).toEqual(['outer']);
  });

  it('rolls back a query runner that is released without a commit', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.manager.insert(Sample, { label: 'forgotten' });
    await runner.release();
    await samples.insert('next');
    expect(await samples.labels()).toEqual(['next']);
  });

  it('rolls back a transaction whose nested transaction was not ended', async () => {
    const leaving = dataSource.transaction(async (manager) => {
      await manager.insert(Sample, { label: 'outer' });
      await dataSource.createQueryRunner().startTransaction();
    });
    await expect(leaving).rejects.toThrow('A nested transaction was not ended');
    await samples.insert('next');
    expect(await samples.labels()).toEqual(['next']);
  });

  it('releases a forgotten query runner, and logs the line that created it', async () => {
    const said = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    dataSource.idleRunnerMs = 50;
    async function takeAndForget() {
      const runner = dataSource.createQueryRunner();
      await runner.startTransaction();
      await runner.manager.insert(Sample, { label: 'forgotten' });
    }
    const later = Promise.withResolvers<void>();
    const next = later.promise.then(() => samples.insert('next'));
    await Promise.resolve().then(takeAndForget);
    later.resolve();
    await next;
    await until(() => said.mock.calls.length > 0);
    const [sentence, stack] = said.mock.calls[0] as [string, string];
    expect(sentence).toContain('was neither used nor released');
    expect(stack).toContain('petstore-data-source.spec.ts');
    expect(await samples.labels()).toEqual(['next']);
  });

  it('keeps other statements out of a transaction begun by raw SQL', async () => {
    await dataSource.query('BEGIN');
    await samples.insert('kept');
    await dataSource.query('ROLLBACK').catch(() => undefined);
    expect(await samples.labels()).toEqual(['kept']);
  });

  it('refuses to read an integer that a number would round, and names the column', async () => {
    await samples.database.query(insertStatement(samples.database), { label: 'x', amount: 2n ** 60n });
    const column = dataSource.getMetadata(Sample).findColumnWithPropertyName('amount');
    const { transformer } = column ?? {};
    Object.assign(column ?? {}, { transformer: undefined, type: Number });
    try {
      await expect(dataSource.getRepository(Sample).find()).rejects.toThrow(
        'Sample.amount has an integer beyond 2^53',
      );
    } finally {
      Object.assign(column ?? {}, { transformer, type: 'bigint' });
    }
  });

  it('returns a generated 64-bit key in the type of its column', async () => {
    const row = await dataSource.getRepository(Sample).save({ label: 'keyed', count: 5 });
    expect(row.id).toBe(1n);
    expect(await dataSource.getRepository(Sample).findOneBy({ id: 1n })).toMatchObject({ count: 5 });
    expect(await dataSource.getRepository(Sample).count()).toBe(1);
  });
});
