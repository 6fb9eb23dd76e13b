import { setImmediate as nextTurn } from 'node:timers/promises';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { FAILED_RUN } from '../../../test/support/service/stored-run';
import { DAY_MS } from '../values/calendar';
import { DecoratedMethods } from './decorated-methods';
import { JobRunRetentionJob } from './job-run-retention-job';
import { Retention } from './retention';
import { schedulesOf } from './scheduled.decorator';
import { StoredRunsRepository } from './stored-runs.repository';

describeEachEngine('Rows past their retention period', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine);
  });
  afterAll(() => service.stop());

  it('are deleted table by table, in batches until none is left', async () => {
    const deleted: string[] = [];
    const some = (kind: string, batches: number) => () => {
      deleted.push(kind);
      return Promise.resolve(deleted.filter((other) => other === kind).length < batches);
    };
    await service.app.get(Retention).run((now) => {
      expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
      return [some('requests', 3), some('changes', 1), some('sessions', 2)];
    });
    expect(deleted).toEqual(['requests', 'requests', 'requests', 'changes', 'sessions', 'sessions']);
  });

  it('are deleted by jobs in one of all processes, even in read-only mode', () => {
    const jobs = service.app.get(DecoratedMethods).find(schedulesOf);
    const inReadOnlyMode = jobs.filter(({ mark }) => mark.runsInReadOnlyMode);
    expect(inReadOnlyMode.map(({ name, mark }) => `${name} ${mark.pattern}`)).toEqual(
      expect.arrayContaining([
        'RequestLogRetentionJob.run */10 * * * *',
        'ResponseRetentionJob.run */10 * * * *',
        'UsageRetentionJob.run 15 * * * *',
      ]),
    );
  });

  it('are runs of jobs that ended 30 days ago', async () => {
    const runs = service.app.get(StoredRunsRepository);
    const endedAt = (days: number) => new Date(Date.now() - days * DAY_MS);
    const rows = [{ endedAt: endedAt(31) }, { endedAt: endedAt(29) }, { endedAt: null }];
    const [, ...kept] = await runs.insertMany(rows.map((row) => ({ ...FAILED_RUN, ...row })));
    await service.app.get(JobRunRetentionJob, { strict: false }).run();
    expect((await runs.list({}, 10)).map(({ id }) => id)).toEqual(kept.map(({ id }) => id).toReversed());
  });

  it('are left for the next run when the process stops', async () => {
    const stopping = await startTestService(engine);
    const begun = Promise.withResolvers<void>();
    let isStopped = false;
    let batchesAfter = 0;
    const run = stopping.app.get(Retention).run(() => [
      async () => {
        begun.resolve();
        await nextTurn();
        if (isStopped) batchesAfter += 1;
        return true;
      },
    ]);
    await begun.promise;
    stopping.app.get(Retention).onApplicationShutdown();
    isStopped = true;
    await run;
    await stopping.stop();
    expect(batchesAfter).toBe(1);
  });
});
