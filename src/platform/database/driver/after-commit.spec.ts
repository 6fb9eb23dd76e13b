import { Logger } from '@nestjs/common';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  openSampleDatabase,
  Sample,
  type SampleDatabase,
  Tag,
} from '../../../../test/support/databases/sample-database';
import type { Database } from '../database';

describeEachEngine('An action after the commit', (engine) => {
  let samples: SampleDatabase;
  let database: Database;
  let done: string[];

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
    database = samples.database;
    done = [];
  });
  afterEach(() => samples.close());

  const later = (what: string) => database.afterCommit(() => void done.push(what));

  it('runs at once outside a transaction', () => {
    later('outside');
    expect(done).toEqual(['outside']);
  });

  it('runs after the commit, in order, before the promise of the transaction resolves', async () => {
    const outside = await samples.another();
    const seen: Promise<number>[] = [];
    await database.transaction(async () => {
      await samples.insert('inside');
      later('first');
      await new Promise(setImmediate);
      database.afterCommit(() => void seen.push(outside.getRepository(Sample).count()));
      later('second');
      await samples.insert('inside too');
      expect(done).toEqual([]);
      expect(seen).toEqual([]);
    });
    expect(done).toEqual(['first', 'second']);
    expect(await Promise.all(seen)).toEqual([2]);
  });

  it('never runs when the work throws', async () => {
    const work = async () => {
      await samples.insert('inside');
      later('inside');
      throw new Error('changed its mind');
    };
    await expect(database.transaction(work)).rejects.toThrow('changed its mind');
    later('outside');
    await database.transaction(async () => later('another'));
    expect(done).toEqual(['outside', 'another']);
  });

  it('never runs when the commit fails', async () => {
    if (engine === 'postgres') {
      await samples.dataSource.query(
        'ALTER TABLE "tags" ALTER CONSTRAINT "fk_tags_part_id" DEFERRABLE INITIALLY DEFERRED',
      );
    }
    const work = async () => {
      const tags = samples.dataSource.getRepository(Tag);
      if (engine === 'sqlite') await tags.query('PRAGMA defer_foreign_keys = ON');
      await tags.insert({ partId: 999n });
      later('inside');
    };
    await expect(database.transaction(work)).rejects.toThrow(/foreign key/i);
    expect(done).toEqual([]);
  });

  it('waits for the outermost transaction', async () => {
    await database.transaction(async () => {
      later('outer');
      await database.transaction(async () => {
        await samples.insert('inner');
        later('inner');
      });
      expect(done).toEqual([]);
      later('outer again');
    });
    expect(done).toEqual(['outer', 'inner', 'outer again']);
  });

  it('never runs when the outer transaction throws', async () => {
    const work = async () => {
      await database.transaction(async () => later('inner'));
      throw new Error('changed its mind');
    };
    await expect(database.transaction(work)).rejects.toThrow('changed its mind');
    expect(done).toEqual([]);
  });

  it('runs for its own transaction among many at once', async () => {
    const transactions = Array.from({ length: 12 }, (_, n) =>
      database.transaction(async () => {
        later(`${n}`);
        await new Promise(setImmediate);
        if (n % 3 === 0) throw new Error('changed its mind');
      }),
    );
    await Promise.allSettled(transactions);
    const kept = Array.from({ length: 12 }, (_, n) => n).filter((n) => n % 3 !== 0);
    expect(done.map(Number).sort((a, b) => a - b)).toEqual(kept);
  });

  it('fails alone: the transaction is committed, and the others run', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const work = async (label: string) => {
      await samples.insert(label);
      database.afterCommit(() => {
        throw new Error('not this one');
      });
      later('next');
    };
    await database.transaction(() => work('by function'));
    const runner = samples.dataSource.createQueryRunner();
    await runner.startTransaction();
    await work('by hand');
    await runner.commitTransaction();
    await runner.release();
    expect(done).toEqual(['next', 'next']);
    expect(logged).toHaveBeenCalledTimes(2);
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('not this one'), expect.any(String));
    logged.mockRestore();
  });

  it('can use the database outside the ended transaction', async () => {
    const begun: Promise<unknown>[] = [];
    const failing = async () => {
      await samples.insert('taken back');
      throw new Error('changed its mind');
    };
    await database.transaction(async () => {
      await samples.insert('inside');
      database.afterCommit(() => void begun.push(samples.insert('after')));
      database.afterCommit(() => void begun.push(database.transaction(() => samples.insert('after too'))));
      database.afterCommit(
        () => void begun.push(database.transaction(failing).catch(() => later('refused'))),
      );
      database.afterCommit(() => later('after, at once'));
    });
    expect(done).toEqual(['after, at once']);
    await Promise.all(begun);
    expect(done).toEqual(['after, at once', 'refused']);
    expect((await samples.labels()).sort()).toEqual(['after', 'after too', 'inside']);
  });

  it('is refused once the transaction has ended', async () => {
    const ended = Promise.withResolvers<void>();
    let stray: Promise<void> = Promise.resolve();
    await database.transaction(async () => {
      stray = ended.promise.then(() => later('too late'));
    });
    ended.resolve();
    await expect(stray).rejects.toThrow('has ended');
    expect(done).toEqual([]);
  });
});
