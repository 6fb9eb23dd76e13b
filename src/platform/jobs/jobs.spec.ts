import { Injectable, Module } from '@nestjs/common';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { setDate } from '../../../test/support/fake-only';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { until } from '../../../test/support/until';
import { withFeatures } from '../../../test/support/service/with-features';
import { actingAs, currentActor } from '../security/actor';
import { Database } from '../database/database';
import { Events } from '../events/events';
import { OnEvent } from '../events/on-event.decorator';
import { ReadOnlyMode } from '../read-only/read-only-mode';
import { Job } from './job.decorator';
import type { JobRun } from './job-run';
import { JobRunner } from './job-runner.service';
import { attemptsWithin } from './retries';
import { Jobs } from './jobs';
import { StoredRunsRepository } from './stored-runs.repository';
import type { StoredRun } from './stored-run.entity';

class CountTo {
  readonly end!: number;
  readonly big?: bigint;
  readonly at?: Date;
}

class CountOnce {}

/** Published by each step. */
class Counted {
  constructor(readonly number: number) {}
}

@Injectable()
class Counter {
  static before: (number: number, run: JobRun<number>) => void | Promise<void> = () => undefined;
  static inStep: (number: number) => void | Promise<void> = () => undefined;
  static readonly calls: { counter: Counter; args: CountTo; run: JobRun<number>; cursor: unknown }[] = [];
  static readonly actors: string[] = [];
  /** Numbers whose step is committed, in their order. */
  static readonly counted: number[] = [];

  constructor(private readonly events: Events) {}

  @Job(CountTo, { title: 'Count', concurrency: 1 })
  async count(args: CountTo, run: JobRun<number>): Promise<void> {
    Counter.calls.push({ counter: this, args, run, cursor: run.cursor });
    Counter.actors.push(currentActor().name);
    for (let next = (run.cursor ?? 0) + 1; next <= args.end; next++) {
      await Counter.before(next, run);
      const step = async () => {
        this.events.publish(new Counted(next));
        await Counter.inStep(next);
      };
      await run.step(step, { cursor: next, done: next, total: args.end });
    }
    await Counter.before(args.end + 1, run);
  }

  @Job(CountOnce)
  async countOnce(): Promise<void> {}

  @OnEvent(Counted)
  note({ number }: Counted): void {
    Counter.counted.push(number);
  }
}

@Module({ providers: [Counter] })
class CounterModule {}

describeEachEngine('Jobs', (engine) => {
  let services: TestService[];
  let service: TestService;
  let jobs: Jobs;
  let runs: StoredRunsRepository;
  let database: Database;

  beforeAll(async () => {
    service = await withFeatures({ CounterModule }, () => startTestService(engine));
    services = [service];
    // Two connections of one process to an SQLite file would wait for each other; `jobs.process.ts` has two processes.
    if (engine === 'postgres') {
      const settings = { DATABASE_URL: service.database.url };
      services.push(await withFeatures({ CounterModule }, () => startTestService(engine, settings)));
    }
    jobs = service.app.get(Jobs);
    runs = service.app.get(StoredRunsRepository);
    database = service.app.get(Database);
  });
  afterAll(async () => {
    for (const each of services.toReversed()) await each.stop();
  });
  beforeEach(async () => {
    Counter.before = Counter.inStep = () => undefined;
    for (const list of [Counter.calls, Counter.counted, Counter.actors]) list.length = 0;
    await runs.repository.deleteAll();
  });

  const stored = async (id: bigint) => (await runs.findOne(id)) as StoredRun;
  const inState = (id: bigint, state: string) => until(async () => (await stored(id)).state === state);
  const change = (id: bigint, values: Partial<StoredRun>) => runs.repository.update({ id }, values);
  const ran = () => new Set(Counter.calls.map(({ counter }) => counter)).size;
  /** Holds up the step before a number; resolves once the job is there. */
  function holdAt(number: number): { readonly reached: Promise<void>; release(): void } {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    Counter.before = (next) => {
      if (next !== number) return undefined;
      reached.resolve();
      return released.promise;
    };
    return { reached: reached.promise, release: released.resolve };
  }

  it('run with their arguments, for whoever started them, and say how far they are', async () => {
    const args = { end: 3, big: 2n ** 62n + 1n, at: new Date('2026-01-31T12:00:00.123Z') };
    const id = await actingAs({ name: 'key_one' }, () => jobs.start(CountTo, args));
    await inState(id, 'finished');
    expect(Counter.calls).toMatchObject([{ args, cursor: undefined, run: { id, attempt: 1 } }]);
    expect(Counter.calls[0]?.args).toBeInstanceOf(CountTo);
    expect([Counter.actors, Counter.counted]).toEqual([['key_one'], [1, 2, 3]]);
    expect(await stored(id)).toMatchObject({
      job: 'Counter.count',
      cursor: '3',
      done: 3n,
      total: 3n,
      lockedBy: null,
      endedAt: expect.any(Date) as Date,
    });
  });

  it('are stored in the transaction that starts them, and run after its commit', async () => {
    let id = 0n;
    await database.transaction(async () => {
      id = await jobs.start(CountTo, { end: 1 });
      expect(Counter.calls).toEqual([]);
    });
    await inState(id, 'finished');
    const rolledBack = database.transaction(async () => {
      id = await jobs.start(CountTo, { end: 1 });
      throw new Error('changed its mind');
    });
    await expect(rolledBack).rejects.toThrow('changed its mind');
    expect(await runs.findOne(id)).toBeNull();
    expect(Counter.calls).toHaveLength(1);
  });

  it('go on after the last step when they fail, with attempts that begin anew', async () => {
    let failures = 0;
    Counter.inStep = (number) => {
      if (number === 3 && failures++ < 2) throw new Error('no third');
    };
    const id = await jobs.start(CountTo, { end: 4 });
    await until(async () => (await stored(id)).error === 'Error: no third');
    expect(await stored(id)).toMatchObject({ state: 'waiting', cursor: '2', done: 2n, total: 4n });
    await inState(id, 'finished');
    expect(Counter.calls.map(({ cursor }) => cursor)).toEqual([undefined, 2, 2]);
    expect(Counter.counted).toEqual([1, 2, 3, 4]);
    expect(Counter.calls.map(({ run }) => run.attempt)).toEqual([1, 2, 1]);
    expect(services.map((each) => each.log()).join('')).toContain('A job failed; it goes on');
  });

  it('wait for an operator after a day of attempts without a step, and go on where they were', async () => {
    const held = holdAt(2);
    const id = await jobs.start(CountTo, { end: 2 });
    await held.reached;
    await change(id, { attempts: 14, state: 'waiting' });
    Counter.inStep = () => {
      throw new Error('ne\0ver');
    };
    held.release();
    await until(async () => (await stored(id)).error === 'Error: ne\uFFFDver');
    await change(id, { attempts: 14, dueAt: new Date(0) });
    await until(async () => (await stored(id)).attempts === 15 && (await stored(id)).dueAt > new Date(0));
    expect(await stored(id)).toMatchObject({ state: 'waiting' });
    await change(id, { attempts: attemptsWithin() - 1, dueAt: new Date(0) });
    await inState(id, 'failed');
    Counter.inStep = () => undefined;
    expect(await runs.retry(id)).toBe(true);
    await inState(id, 'finished');
    expect(Counter.counted).toEqual([1, 2]);
    expect(await runs.retry(id)).toBe(false);
  });

  it('are each run by one process, as many of a kind in each as they say', async () => {
    const held = holdAt(1);
    const ids = [];
    for (let index = 0; index < 20; index++) ids.push(await jobs.start(CountTo, { end: 5 }));
    await until(() => ran() === services.length);
    for (const each of services) each.app.get(JobRunner).wake();
    await held.reached;
    expect(Counter.calls).toHaveLength(services.length);
    held.release();
    for (const id of ids) await inState(id, 'finished');
    expect(new Set(Counter.calls.map(({ run }) => run.id)).size).toBe(20);
    expect([Counter.calls.length, Counter.counted.length]).toEqual([20, 100]);
  });

  it('go on in another process once theirs counts as dead, and the dead one stores no step more', async () => {
    const held = holdAt(3);
    const id = await jobs.start(CountTo, { end: 4 });
    await held.reached;
    const attempts: number[] = [];
    Counter.before = (_number, { attempt }) => void attempts.push(attempt);
    await change(id, { lockedBy: 'another process', lockedUntil: new Date(Date.now() + 3_600_000) });
    held.release();
    await until(() => Counter.calls[0]?.run.signal.aborted === true);
    expect([Counter.counted, (await stored(id)).lockedBy]).toEqual([[1, 2], 'another process']);
    await change(id, { lockedUntil: new Date(0) });
    await inState(id, 'finished');
    expect(Counter.counted).toEqual([1, 2, 3, 4]);
    expect(attempts).toEqual([2, 1, 1]);
  });

  it('are not run twice by a process whose clock is set an hour ahead', async () => {
    const held = holdAt(2);
    const id = await jobs.start(CountTo, { end: 3 });
    await held.reached;
    setDate(Date.now() + 3_600_000);
    try {
      const other = await jobs.start(CountOnce, {});
      await inState(other, 'finished');
    } finally {
      jest.useRealTimers();
    }
    held.release();
    await inState(id, 'finished');
    expect(Counter.counted).toEqual([1, 2, 3]);
    expect(Counter.calls).toHaveLength(1);
  });

  it('end at their next step when an operator stops them, and go on from there when retried', async () => {
    const held = holdAt(3);
    const id = await jobs.start(CountTo, { end: 4 });
    await held.reached;
    expect(await runs.stop(id)).toBe(true);
    expect([await runs.retry(id), await runs.discard(id)]).toEqual([false, false]);
    held.release();
    await until(async () => (await stored(id)).lockedBy === null);
    expect(await stored(id)).toMatchObject({
      state: 'stopped',
      cursor: '2',
      endedAt: expect.any(Date) as Date,
    });
    expect([Counter.counted, await runs.stop(id)]).toEqual([[1, 2], false]);
    expect(await runs.retry(id)).toBe(true);
    await inState(id, 'finished');
    expect([Counter.counted, (await stored(id)).error]).toEqual([[1, 2, 3, 4], null]);
    expect(await runs.discard(id)).toBe(true);
  });

  it('end at their next step in read-only mode, and go on after it', async () => {
    const held = holdAt(2);
    const id = await jobs.start(CountTo, { end: 3 });
    await held.reached;
    const isOn = jest.spyOn(ReadOnlyMode.prototype, 'isOn', 'get').mockReturnValue(true);
    await until(() => Counter.calls[0]?.run.signal.aborted === true);
    held.release();
    await until(async () => (await stored(id)).lockedBy === null);
    expect(await stored(id)).toMatchObject({ state: 'waiting', cursor: '1' });
    isOn.mockRestore();
    await inState(id, 'finished');
    expect(Counter.counted).toEqual([1, 2, 3]);
  });

  it('are finished if they are stopped after their last step', async () => {
    const held = holdAt(2);
    const id = await jobs.start(CountTo, { end: 1 });
    await held.reached;
    expect(await runs.stop(id)).toBe(true);
    held.release();
    await inState(id, 'finished');
  });

  it('are given back, without an attempt, by a process that stops, and go on in another', async () => {
    const held = holdAt(2);
    const id = await jobs.start(CountTo, { end: 3 });
    await held.reached;
    const [first] = Counter.calls;
    const holder = services.find(({ app }) => app.get(Counter, { strict: false }) === first?.counter);
    await holder?.app.get(JobRunner).beforeApplicationShutdown();
    expect(first?.run.signal.aborted).toBe(true);
    held.release();
    await until(async () => (await stored(id)).lockedBy === null || ran() > 1);
    if (services.length === 1) {
      expect(await stored(id)).toMatchObject({ state: 'waiting', attempts: 0, cursor: '1', lockedBy: null });
      return;
    }
    await inState(id, 'finished');
    expect([Counter.counted, ran()]).toEqual([[1, 2, 3], 2]);
    expect(Counter.calls).toMatchObject([{}, { cursor: 1, run: { attempt: 1 } }]);
  });
});
