import { conflictFirst } from '../../../../test/support/databases/conflicts';
import {
  insertStatement,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { ServiceUnavailableError } from '../../errors/http-errors';
import { MOST_ATTEMPTS } from './retry-conflicts';

describe('A conflict with other transactions on PostgreSQL', () => {
  let samples: SampleDatabase;
  let attempts: number;

  beforeEach(async () => {
    samples = await openSampleDatabase('postgres');
    attempts = 0;
  });
  afterEach(() => samples.close());

  const inserting = async () => {
    attempts++;
    await samples.insert('inside');
  };

  it.each(['40001', '40P01'])('runs the transaction again until it is committed: %s', async (code) => {
    await conflictFirst(samples.dataSource, 'INSERT ON samples', MOST_ATTEMPTS - 1, code);
    let committed = 0;
    await samples.database.transaction(async () => {
      samples.database.afterCommit(() => committed++);
      await inserting();
    });
    expect(attempts).toBe(MOST_ATTEMPTS);
    expect(committed).toBe(1);
    expect(await samples.labels()).toEqual(['inside']);
  });

  it('is 503 after the last attempt, and nothing is stored', async () => {
    await conflictFirst(samples.dataSource, 'INSERT ON samples', MOST_ATTEMPTS, '40001');
    await expect(samples.database.transaction(inserting)).rejects.toThrow(ServiceUnavailableError);
    expect(attempts).toBe(MOST_ATTEMPTS);
    expect(await samples.labels()).toEqual([]);
  });

  it('runs a single statement again, and one in a transaction with the whole transaction', async () => {
    const { database } = samples;
    const insert = insertStatement(database);
    await conflictFirst(samples.dataSource, 'INSERT ON samples', 2, '40001');
    await database.query(insert, { label: 'alone', amount: 1n });
    await conflictFirst(samples.dataSource, 'INSERT ON samples', 1, '40001');
    await database.transaction(async () => {
      attempts++;
      await database.query(insert, { label: 'within', amount: 2n });
    });
    expect(attempts).toBe(2);
    expect(await samples.labels()).toEqual(['alone', 'within']);
  });

  it('runs a single statement at most as often as a transaction', async () => {
    const insert = insertStatement(samples.database);
    await conflictFirst(samples.dataSource, 'INSERT ON samples', MOST_ATTEMPTS, '40001');
    const alone = samples.database.query(insert, { label: 'alone', amount: 1n });
    await expect(alone).rejects.toThrow(ServiceUnavailableError);
    expect(await samples.labels()).toEqual([]);
  });

  it('ends with both transactions committed when they wait for each other', async () => {
    await samples.insert('one');
    await samples.insert('two');
    const bothHaveOne = Promise.withResolvers<void>();
    const oneIsCommitted = Promise.withResolvers<void>();
    let waiting = 0;
    const rename = async (first: string, second: string) => {
      let isRepeated = false;
      await samples.database.transaction(async () => {
        attempts++;
        // Else it can have its first row back before the other one gets it: then they wait for each other once more.
        if (isRepeated) await oneIsCommitted.promise;
        isRepeated = true;
        await lengthen(first);
        if (++waiting === 2) bothHaveOne.resolve();
        await bothHaveOne.promise;
        await lengthen(second);
      });
      oneIsCommitted.resolve();
    };
    const lengthen = async (label: string) => {
      const repository = samples.dataSource.getRepository(Sample);
      const row = await repository
        .createQueryBuilder()
        .setLock('pessimistic_write')
        .where('label LIKE :label', { label: `${label}%` })
        .getOneOrFail();
      await repository.update(row.id.toString(), { label: `${row.label}!` });
    };
    await Promise.all([rename('one', 'two'), rename('two', 'one')]);
    expect(attempts).toBe(3);
    expect((await samples.labels()).sort()).toEqual(['one!!', 'two!!']);
  });

  it('is distinguished from other failures, which are not retried', async () => {
    await samples.insert('inside');
    await expect(samples.database.transaction(inserting)).rejects.toThrow('uq_samples_label');
    expect(attempts).toBe(1);
  });
});
