import type { Database } from '../database/database';
import { MINUTE_MS } from '../values/calendar';
import { RunningJob } from './running-job';
import type { StoredRun } from './stored-run.entity';
import type { StoredRunsRepository } from './stored-runs.repository';

describe('A job that runs', () => {
  const database = { transaction: (work: () => Promise<unknown>) => work() } as unknown as Database;
  const runs = { advance: () => Promise.resolve(true) } as unknown as StoredRunsRepository;
  let now: number;
  let run: RunningJob;

  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const stored = { id: 1n, job: 'Books.count', attempts: 1, cursor: null, done: 0n, total: null };
    run = new RunningJob(stored as StoredRun, 'this process', runs, database);
  });
  afterEach(() => {
    run.close();
    jest.restoreAllMocks();
  });

  it('fails when it makes no step for ten minutes: its lease would be extended for ever', () => {
    now = 10 * MINUTE_MS;
    run.renewed();
    expect(run.signal.aborted).toBe(false);
    now += 1;
    run.renewed();
    expect([run.signal.aborted, run.isInterrupted]).toEqual([true, false]);
  });

  it('goes on while it makes steps', async () => {
    now = 9 * MINUTE_MS;
    await run.step(() => Promise.resolve(), { done: 1 });
    now = 18 * MINUTE_MS;
    run.renewed();
    expect(run.signal.aborted).toBe(false);
  });
});
