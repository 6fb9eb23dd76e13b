import { Injectable, Module, Scope } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { until } from '../../../test/support/until';
import { withFeatures } from '../../../test/support/service/with-features';
import { Scheduled } from './scheduled.decorator';
import { ScheduledJob } from './scheduled-job.entity';
import { ServiceModesRepository } from '../read-only/service-modes.repository';
import { ScheduledJobsRepository } from './scheduled-jobs.repository';
import { Scheduler } from './scheduler.service';

/** 29 February: far from now on almost any day the test runs. */
const ONCE_A_YEAR = '0 0 29 2 *';

@Injectable()
class Chores {
  static readonly runs: Chores[] = [];
  static work: () => void | Promise<void> = () => undefined;
  static cleaning: () => void | Promise<void> = () => undefined;

  @Scheduled('* * * * * *')
  async tick(): Promise<void> {
    await Chores.work();
    Chores.runs.push(this);
  }

  @Scheduled(ONCE_A_YEAR)
  async clean(): Promise<void> {
    await Chores.cleaning();
  }

  @Scheduled(ONCE_A_YEAR, { timeZone: 'Europe/Berlin' })
  celebrate(): void {
    throw new Error('no\0cake');
  }
}

@Module({ providers: [Chores] })
class ChoresModule {}

describeEachEngine('Scheduled methods', (engine) => {
  let services: TestService[];
  let jobs: ScheduledJobsRepository;

  beforeAll(async () => {
    const first = await withFeatures({ ChoresModule }, () => startTestService(engine));
    const second = await withFeatures({ ChoresModule }, () =>
      startTestService(engine, { DATABASE_URL: first.database.url }),
    );
    services = [first, second];
    jobs = first.app.get(ScheduledJobsRepository);
  });
  afterAll(async () => {
    for (const service of services.toReversed()) await service.stop();
  });
  beforeEach(() => {
    Chores.runs.length = 0;
    Chores.work = () => undefined;
  });

  const begin = () => services.forEach(({ app }) => app.get(Scheduler).begin());
  const stored = async (name: string) => (await jobs.list()).find((job) => job.name === name);
  const change = (name: string, values: Partial<ScheduledJob>) =>
    (services[0] as TestService).app.get(DataSource).getRepository(ScheduledJob).update({ name }, values);

  it('run nowhere before a process says that it runs them', async () => {
    expect(await jobs.list()).toEqual([]);
  });

  it('run at each of their times in exactly one process', async () => {
    const starts = new Set<string>();
    Chores.work = async () => {
      const { dueAt } = (await stored('Chores.tick')) as ScheduledJob;
      starts.add(dueAt.toISOString());
    };
    begin();
    await until(() => Chores.runs.length >= 4);
    expect(starts.size).toBe(Chores.runs.length);
  });

  it('are planned by their time zone, and again when their schedule changes', async () => {
    begin();
    await until(async () => (await stored('Chores.celebrate')) !== undefined);
    const { dueAt } = (await stored('Chores.celebrate')) as ScheduledJob;
    expect(dueAt.toISOString()).toMatch(/-02-28T23:00:00.000Z$/);
    await jobs.plan('Gone.run', 'one', new Date('2029-01-01T00:00:00Z'));
    await jobs.plan('Gone.run', 'another', new Date('2030-01-01T00:00:00Z'));
    await jobs.plan('Gone.run', 'another', new Date('2031-01-01T00:00:00Z'));
    expect((await stored('Gone.run'))?.dueAt.getUTCFullYear()).toBe(2030);
  });

  it('are planned again when a clock that was ahead has planned them', async () => {
    begin();
    await until(async () => (await stored('Chores.celebrate')) !== undefined);
    const { dueAt } = (await stored('Chores.celebrate')) as ScheduledJob;
    const ahead = new Date('2130-02-28T23:00:00Z');
    await change('Chores.celebrate', { dueAt: ahead });
    await until(async () => (await stored('Chores.celebrate'))?.dueAt.getTime() !== ahead.getTime());
    expect((await stored('Chores.celebrate'))?.dueAt).toEqual(dueAt);
  });

  it('run again in another process once their process counts as dead', async () => {
    begin();
    await until(async () => (await stored('Chores.celebrate')) !== undefined);
    await change('Chores.celebrate', {
      dueAt: new Date(0),
      lockedBy: 'a dead process',
      lockedUntil: new Date(Date.now() + 3_600_000),
    });
    await until(() => Chores.runs.length > 1);
    expect((await stored('Chores.celebrate'))?.lockedBy).toBe('a dead process');
    await change('Chores.celebrate', { lockedUntil: new Date(Date.now() - 1) });
    await until(async () => (await stored('Chores.celebrate'))?.error === 'Error: no\uFFFDcake');
    const { dueAt, lockedBy, finishedAt } = (await stored('Chores.celebrate')) as ScheduledJob;
    expect(dueAt.getTime()).toBeGreaterThan(Date.now());
    expect([lockedBy, finishedAt]).toEqual([null, expect.any(Date)]);
    expect(services.map((service) => service.log()).join('')).toContain('A scheduled job failed');
  });

  it('have a lease that only the process extends that has it', async () => {
    await jobs.plan('Gone.run', 'one', new Date('2029-01-01T00:00:00Z'));
    const until2045 = new Date('2045-01-01');
    await change('Gone.run', { lockedBy: 'one', lockedUntil: until2045 });
    await jobs.renew(['Gone.run'], 'another', new Date('2046-01-01'));
    expect((await stored('Gone.run'))?.lockedUntil).toEqual(until2045);
    await jobs.renew(['Gone.run'], 'one', new Date('2046-01-01'));
    expect((await stored('Gone.run'))?.lockedUntil).toEqual(new Date('2046-01-01'));
  });

  it('do not overlap with themselves', async () => {
    const release = Promise.withResolvers<void>();
    let begun = 0;
    Chores.work = () => {
      begun += 1;
      return release.promise;
    };
    begin();
    await until(() => begun === 1);
    await change('Chores.tick', { dueAt: new Date(0) });
    await change('Chores.celebrate', { dueAt: new Date(1), lockedUntil: null, finishedAt: null });
    // They are looked through together, the first that is due first.
    await until(async () => (await stored('Chores.celebrate'))?.finishedAt !== null);
    expect(begun).toBe(1);
    release.resolve();
  });

  it('do not run while they are paused, and once when they are resumed', async () => {
    let begun = 0;
    Chores.cleaning = () => Promise.resolve(void (begun += 1));
    begin();
    await until(async () => (await stored('Chores.clean')) !== undefined);
    const modes = (services[0] as TestService).app.get(ServiceModesRepository);
    await modes.pauseJob('Chores.clean', { since: new Date(), actor: 'cli:jo', reason: null });
    await jobs.runNow('Chores.clean');
    // The jobs are looked through together.
    const ticks = Chores.runs.length;
    await until(() => Chores.runs.length > ticks + 1);
    expect(begun).toBe(0);
    await modes.resumeJob('Chores.clean');
    await until(() => begun === 1);
  });

  it('run once more when that is asked for while they run', async () => {
    const release = Promise.withResolvers<void>();
    let begun = 0;
    Chores.cleaning = () => {
      begun += 1;
      return release.promise;
    };
    begin();
    await until(async () => (await stored('Chores.clean')) !== undefined);
    await jobs.runNow('Chores.clean');
    await until(() => begun === 1);
    await jobs.runNow('Chores.clean');
    release.resolve();
    await until(() => begun === 2);
    await until(async () => (await stored('Chores.clean'))?.lockedBy === null);
    expect((await stored('Chores.clean'))?.dueAt.getTime()).toBeGreaterThan(Date.now());
  });
});

describe('The service does not start with a scheduled method', () => {
  @Injectable()
  class Wrong {
    @Scheduled('whenever')
    run(): void {}
  }

  @Injectable()
  class Never {
    @Scheduled('0 0 0 31 2 *')
    run(): void {}
  }

  @Injectable({ scope: Scope.REQUEST })
  class OfRequest {
    @Scheduled('* * * * *')
    run(): void {}
  }

  it.each([
    [Wrong, 'The schedule of Wrong.run, "whenever" in UTC, is not valid.'],
    [Never, 'The schedule of Never.run, "0 0 0 31 2 *", has no time in the future.'],
    [OfRequest, 'OfRequest.run runs without a request, so OfRequest cannot be of request scope.'],
  ])('when its schedule is wrong: %p', async (provider, sentence) => {
    @Module({ providers: [provider] })
    class WrongModule {}
    await expect(withFeatures({ WrongModule }, () => startTestService('sqlite'))).rejects.toThrow(sentence);
  });

  it('when another has its name', async () => {
    const namesake = () => {
      @Injectable()
      class Daily {
        @Scheduled('* * * * *')
        run(): void {}
      }
      return Daily;
    };
    @Module({ providers: [namesake(), namesake()] })
    class NamesakesModule {}
    const started = withFeatures({ NamesakesModule }, () => startTestService('sqlite'));
    await expect(started).rejects.toThrow('Two scheduled methods are called Daily.run');
  });
});
