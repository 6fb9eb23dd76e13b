import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Logger } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  insertStatement,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { fakeOnly } from '../../../../test/support/fake-only';
import { until } from '../../../../test/support/until';
import { inContext } from '../../tracing/request-context';
import { Timeline } from '../../tracing/timeline';
import type { Span } from '../../tracing/tracing';
import type { PetstoreDataSource } from './petstore-data-source';

describeEachEngine('a query runner of TypeORM', (engine) => {
  let samples: SampleDatabase;
  let dataSource: PetstoreDataSource;
  let done: string[];

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
    ({ dataSource } = samples);
    done = [];
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    jest.useRealTimers();
    await samples.close();
  });

  const insert = (label: string) => dataSource.getRepository(Sample).insert({ label });
  const later = (what: string) => {
    samples.database.beforeCommit(async () => void done.push(`before: ${what}`));
    samples.database.afterCommit(() => done.push(`after: ${what}`));
  };

  /** Inserts by hand without `connect()`, which TypeORM does not ask for. */
  async function insertByHand(label: string, fails = false): Promise<void> {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.manager.insert(Sample, { label });
      later(label);
      await new Promise(setImmediate);
      if (fails) throw new Error('undone');
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    } finally {
      await runner.release();
    }
  }

  it('has its own transaction beside others that the same function begins', async () => {
    const outcomes = await Promise.allSettled([
      insertByHand('first'),
      insertByHand('second', true),
      insertByHand('third'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await samples.labels()).sort()).toEqual(['first', 'third']);
    expect(done.sort()).toEqual(['after: first', 'after: third', 'before: first', 'before: third']);
  });

  it('drops actions at the commit when their savepoint is rolled back by hand', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await insert('outer');
    later('outer');
    await runner.startTransaction();
    await insert('undone');
    later('undone');
    await runner.rollbackTransaction();
    await runner.startTransaction();
    await insert('kept');
    later('kept');
    await runner.commitTransaction();
    await runner.commitTransaction();
    await runner.release();
    expect(await samples.labels()).toEqual(['outer', 'kept']);
    expect(done).toEqual(['before: outer', 'before: kept', 'after: outer', 'after: kept']);
  });

  it('refuses an isolation level that the transaction in progress does not have', async () => {
    const sentence =
      'A nested transaction has the isolation level of the outer one, READ COMMITTED: request SERIALIZABLE there.';
    const nested = () => dataSource.transaction('SERIALIZABLE', () => insert('inside'));
    await expect(samples.database.transaction(nested)).rejects.toThrow(sentence);
    await expect(dataSource.transaction(nested)).rejects.toThrow(sentence);
    expect(await samples.labels()).toEqual([]);
    await dataSource.transaction('SERIALIZABLE', async () => {
      await nested();
      await dataSource.transaction('READ UNCOMMITTED', () => insert('asks for less'));
    });
    expect(await samples.labels()).toEqual(['inside', 'asks for less']);
  });

  it('does not commit the surrounding transaction when it is disposed of', async () => {
    const failing = dataSource.transaction(async () => {
      await insert('undone');
      const runner = dataSource.createQueryRunner();
      expect(await runner.manager.count(Sample)).toBe(1);
      await runner[Symbol.asyncDispose]();
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await samples.labels()).toEqual([]);
  });

  it('commits its own transaction when it is disposed of, as in TypeORM', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.manager.insert(Sample, { label: 'kept' });
    later('kept');
    await runner[Symbol.asyncDispose]();
    expect([await samples.labels(), done]).toEqual([['kept'], ['before: kept', 'after: kept']]);
    expect(samples.database.isInTransaction).toBe(false);
  });

  it('is not released as forgotten while prepared statements run in its transaction', async () => {
    const said = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const insertion = insertStatement(samples.database);
    fakeOnly(['setTimeout', 'clearTimeout']);
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    for (let n = 0; n < 8; n++) {
      jest.advanceTimersByTime(dataSource.idleRunnerMs - 1);
      await samples.database.query(insertion, { label: `row ${n}`, amount: null });
    }
    await runner.commitTransaction();
    await runner.release();
    expect(await samples.labels()).toHaveLength(8);
    expect(said).not.toHaveBeenCalled();
  });

  it('stores nothing of work whose transaction was rolled back as forgotten', async () => {
    const said = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    dataSource.idleRunnerMs = 20;
    const work = async () => {
      const runner = dataSource.createQueryRunner();
      await runner.startTransaction();
      await insert('ahead');
      await until(() => said.mock.calls.length > 0);
      await insert('afterwards');
      await runner.commitTransaction();
    };
    await expect(Promise.resolve().then(work)).rejects.toThrow('The transaction of this work has ended');
    expect(await samples.labels()).toEqual([]);
  });

  /** Does work as a request that is timed and traced. */
  async function observing(work: () => Promise<unknown>) {
    const timeline = new Timeline(performance.now(), false);
    const spans: string[] = [];
    const span: Span = {
      id: 'a',
      traceId: 'b',
      child: (name, attributes) => {
        spans.push(`${name} begun`);
        const end = (error?: unknown) => void spans.push(`${name} ${error ? 'failed' : 'ended'}`);
        expect(attributes['db.query.text'] ?? '').not.toContain('kept');
        return { ...span, end };
      },
      end: () => undefined,
    };
    await inContext({ request: {} as IncomingMessage, span, timeline }, work);
    const statements = timeline.view(1).statements.map(({ text, count, rows, failed = 0 }) => ({
      text: text.split(' ')[0],
      ...{ count, rows, failed },
    }));
    return { statements, spans };
  }

  it('counts, times and traces the statements of a repository, including those that fail', async () => {
    await insert('kept');
    const { statements, spans } = await observing(async () => {
      await samples.labels();
      await expect(insert('kept')).rejects.toBeInstanceOf(QueryFailedError);
    });
    expect(statements).toEqual([
      { text: 'SELECT', count: 1, rows: 1, failed: 0 },
      { text: 'INSERT', count: 1, rows: 0, failed: 1 },
    ]);
    expect(spans).toEqual([
      'SELECT samples begun',
      'SELECT samples ended',
      'INSERT samples begun',
      'INSERT samples failed',
    ]);
  });

  if (engine === 'sqlite') return;

  it('counts, times and traces a stream, including one that fails', async () => {
    await insert('kept');
    await insert('kept too');
    const sample = () => dataSource.getRepository(Sample).createQueryBuilder('sample');
    const { statements, spans } = await observing(async () => {
      const stream = await sample().stream();
      const rows: unknown[] = [];
      for await (const row of stream) rows.push(row);
      expect(rows).toHaveLength(2);
      const failing = await sample().where('1 / (sample.id - sample.id) = 1').stream();
      await expect(failing.toArray()).rejects.toThrow('division by zero');
      await until(() => failing.closed);
    });
    expect(statements).toEqual([
      { text: 'SELECT', count: 1, rows: 2, failed: 0 },
      { text: 'SELECT', count: 1, rows: 0, failed: 1 },
    ]);
    expect(spans).toEqual([
      'SELECT samples begun',
      'SELECT samples ended',
      'SELECT samples begun',
      'SELECT samples failed',
    ]);
  });

  it('is not released as forgotten while it streams', async () => {
    const said = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    for (let n = 0; n < 300; n++) await insert(`row ${n}`);
    fakeOnly(['setTimeout', 'clearTimeout']);
    const { used } = samples.database.pool;
    const stream = await dataSource.getRepository(Sample).createQueryBuilder('sample').stream();
    const rows: unknown[] = [];
    for await (const row of stream) {
      if (rows.push(row) % 30 === 0) jest.advanceTimersByTime(dataSource.idleRunnerMs - 1);
    }
    expect(rows).toHaveLength(300);
    expect(said).not.toHaveBeenCalled();
    await until(() => samples.database.pool.used === used);
  });

  it('is released when nobody reads its stream', async () => {
    const said = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    for (let n = 0; n < 300; n++) await insert(`row ${n}`);
    fakeOnly(['setTimeout', 'clearTimeout']);
    const { used } = samples.database.pool;
    const stream = await dataSource.getRepository(Sample).createQueryBuilder('sample').stream();
    const [first] = (await once(stream, 'data')) as [object];
    stream.pause();
    expect(first).toMatchObject({ sample_label: 'row 0' });
    jest.advanceTimersByTime(dataSource.idleRunnerMs);
    await until(() => said.mock.calls.length > 0 && samples.database.pool.used === used);
    expect(stream.destroyed).toBe(true);
    await insert('next');
  });
});
