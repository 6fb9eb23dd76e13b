import { Injectable, Module } from '@nestjs/common';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { until } from '../../../test/support/until';
import { withFeatures } from '../../../test/support/service/with-features';
import { Database } from '../database/database';
import { Job } from './job.decorator';
import { Jobs } from './jobs';
import { attemptsWithin } from './retries';
import { StoredRunsRepository } from './stored-runs.repository';
import type { StoredRun } from './stored-run.entity';

class PrintLabel {}
class PrintInvoice {}

@Injectable()
class Printer {
  static readonly calls: string[] = [];

  @Job(PrintLabel, { retryHours: 0 })
  async printLabel(): Promise<void> {
    Printer.calls.push('label');
    throw new Error('no paper');
  }

  @Job(PrintInvoice)
  async printInvoice(): Promise<void> {
    Printer.calls.push('invoice');
    throw new Error('no ink');
  }
}

@Module({ providers: [Printer] })
class PrinterModule {}

describeOneEngine('A run of a job that fails', (engine) => {
  let service: TestService;
  let jobs: Jobs;
  let runs: StoredRunsRepository;

  beforeAll(async () => {
    service = await withFeatures({ PrinterModule }, () => startTestService(engine));
    jobs = service.app.get(Jobs);
    runs = service.app.get(StoredRunsRepository);
  });
  afterAll(() => service.stop());
  beforeEach(() => void (Printer.calls.length = 0));

  const stored = async (id: bigint) => (await runs.findOne(id)) as StoredRun;

  /** Starts a job as if it had been tried before. */
  function startAfter(attempts: number, args: object, error: string | null): Promise<bigint> {
    return service.app.get(Database).transaction(async () => {
      const id = await jobs.start(args.constructor as never, {});
      await runs.repository.update({ id }, { attempts, error });
      return id;
    });
  }

  /** Resolves to a run after its next attempt. */
  async function tried(id: bigint, attempts: number): Promise<StoredRun> {
    await until(async () => {
      const run = await stored(id);
      return run.attempts >= attempts && run.lockedBy === null;
    });
    return stored(id);
  }

  it.each([
    { attempts: 14, state: 'waiting' },
    { attempts: attemptsWithin() - 2, state: 'waiting' },
    { attempts: attemptsWithin() - 1, state: 'failed' },
  ])(
    'is tried again for a day: $state after $attempts attempts and one more',
    async ({ attempts, state }) => {
      const id = await startAfter(attempts, new PrintInvoice(), 'Error: no ink');
      expect(await tried(id, attempts + 1)).toMatchObject({ state, error: 'Error: no ink' });
      expect(Printer.calls).toEqual(['invoice']);
    },
  );

  it('is tried again for as many hours as the method says', async () => {
    const id = await jobs.start(PrintLabel, {});
    expect(await tried(id, 1)).toMatchObject({ state: 'failed', error: 'Error: no paper', attempts: 1 });
  });

  describe('and that ends its process', () => {
    const PAST = new Date('2020-01-01');
    /** A time at which the service claims nothing yet. */
    const LATER = new Date('2046-01-01');
    const CRASHED = { lockedBy: 'gone 1 x', lockedUntil: PAST };

    beforeEach(() => runs.repository.deleteAll());

    /** Starts a job during whose attempt the process has ended, after some that have failed. */
    function startCrashed(attempts: number, error: string | null): Promise<bigint> {
      return service.app.get(Database).transaction(async () => {
        const id = await jobs.start(PrintInvoice, {});
        await runs.repository.update({ id }, { attempts, error, ...CRASHED, dueAt: LATER });
        return id;
      });
    }

    /** Lets processes end during some more attempts; resolves to the run after the next attempt, which need not begin. */
    async function crash(id: bigint, times: number): Promise<StoredRun> {
      const lease = { ...CRASHED, now: LATER };
      for (let crashes = 0; crashes < times; crashes++) {
        expect(await runs.claim(['Printer.printInvoice'], [], lease)).toMatchObject({ id });
      }
      const { attempts } = await stored(id);
      await runs.repository.update({ id }, { dueAt: PAST });
      return tried(id, attempts + 1);
    }

    it('is tried 15 times', async () => {
      const id = await startCrashed(1, null);
      const error = 'Error: The process has ended during 15 of 15 attempts.';
      expect(await crash(id, 14)).toMatchObject({ state: 'failed', error });
      expect(Printer.calls).toEqual([]);
    });

    it('is tried 15 times also after an error, and again when an operator retries it', async () => {
      const id = await startCrashed(3, 'Error: no ink');
      const error = 'Error: The process has ended during 15 of 17 attempts. Before: Error: no ink';
      expect(await crash(id, 14)).toMatchObject({ state: 'failed', error });
      expect(Printer.calls).toEqual([]);
      await runs.retry(id);
      expect(await tried(id, 1)).toMatchObject({ state: 'waiting', error: 'Error: no ink' });
    });

    it('is tried 15 times in all, whatever fails between', async () => {
      const id = await startCrashed(1, null);
      expect(await crash(id, 13)).toMatchObject({ state: 'waiting' });
      expect(Printer.calls).toEqual(['invoice']);
      await runs.repository.update({ id }, { ...CRASHED, dueAt: LATER });
      expect(await crash(id, 0)).toMatchObject({ state: 'failed' });
      expect(Printer.calls).toEqual(['invoice']);
    });
  });

  it('cannot be tried for less than no hours', () => {
    expect(() => Job(PrintLabel, { retryHours: -1 })).toThrow('retryHours must be a number from 0 to 8760');
  });
});
