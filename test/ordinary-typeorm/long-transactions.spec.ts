import { Logger } from '@nestjs/common';
import { openSampleDatabase, type SampleDatabase } from '../support/databases/sample-database';
import { fakeOnly } from '../support/fake-only';

describe('A transaction that holds the one connection of SQLite for long', () => {
  let samples: SampleDatabase;
  let said: string[];
  beforeEach(async () => {
    samples = await openSampleDatabase('sqlite');
    said = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((sentence: string) => void said.push(sentence));
    fakeOnly(['setTimeout', 'clearTimeout', 'performance']);
  });
  afterEach(async () => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    await samples.close();
  });

  const warning = 'The work at test/ordinary-typeorm/long-transactions.spec.ts:';

  it('is logged once while it holds it, with the place where it was begun', async () => {
    samples.dataSource.longHoldMs = 20;
    let during = 0;
    await samples.database.transaction(async () => {
      await samples.insert('first');
      jest.advanceTimersByTime(21);
      during = said.length;
      await samples.database.attempt(() => samples.insert('second'));
    });
    expect([during, said]).toEqual([1, [expect.stringContaining(warning) as string]]);
    expect(said[0]).toContain('for more than 20 ms');
  });

  it('is logged when it was begun by hand', async () => {
    samples.dataSource.longHoldMs = 20;
    await using runner = samples.dataSource.createQueryRunner();
    await runner.startTransaction();
    jest.advanceTimersByTime(21);
    await runner.rollbackTransaction();
    expect(said).toEqual([expect.stringContaining(warning) as string]);
  });

  it('is logged at its end when the process was too busy for its timers', async () => {
    samples.dataSource.longHoldMs = 20;
    await samples.database.transaction(async () => {
      await samples.insert('first');
      const now = performance.now() + 21;
      jest.spyOn(performance, 'now').mockReturnValue(now);
    });
    expect(said).toEqual([expect.stringContaining(warning) as string]);
  });

  it('is not logged when the time passes before its first statement, or is short', async () => {
    samples.dataSource.longHoldMs = 20;
    await samples.database.transaction(() => samples.insert('short'));
    await samples.database.transaction(async () => jest.advanceTimersByTime(100));
    expect(said).toEqual([]);
  });
});
