import { Injectable, Module } from '@nestjs/common';
import { IsInt, Max } from 'class-validator';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { until } from '../../../test/support/until';
import { withFeatures } from '../../../test/support/service/with-features';
import { Database } from '../database/database';
import { Job } from './job.decorator';
import type { JobRun } from './job-run';
import { Jobs } from './jobs';
import { StoredRunsRepository } from './stored-runs.repository';

class CountTo {
  @IsInt()
  @Max(1_000)
  readonly end!: number;
  readonly text?: string;
}

class Unknown {}

@Injectable()
class Counter {
  @Job(CountTo)
  async count({ end }: CountTo, run: JobRun): Promise<void> {
    await run.step(
      () => Promise.resolve('x'.repeat(65_536)),
      (cursor) => ({ cursor, done: end }),
    );
  }
}

@Module({ providers: [Counter] })
class CounterModule {}

describe('The arguments of a job', () => {
  let service: TestService;
  let jobs: Jobs;
  let runs: StoredRunsRepository;

  beforeAll(async () => {
    service = await withFeatures({ CounterModule }, () => startTestService('sqlite'));
    jobs = service.app.get(Jobs);
    runs = service.app.get(StoredRunsRepository);
  });
  afterAll(() => service.stop());
  beforeEach(() => runs.repository.deleteAll());

  const unfit = 'CountTo cannot be the arguments of a job: ';

  it.each([
    [{ end: 1_001 }, `${unfit}end must not be greater than 1000.`],
    [{} as CountTo, `${unfit}end is required.`],
    [
      { end: 1, text: 'x'.repeat(65_536) },
      'The arguments of Counter.count would take 65555 characters, and may take 65536',
    ],
  ])('are checked when it is started: %#', async (args, sentence) => {
    await expect(jobs.start(CountTo, args)).rejects.toThrow(sentence);
    expect(await runs.repository.count()).toBe(0);
  });

  it('are of a class that a job was declared with', async () => {
    await expect(jobs.start(Unknown, {})).rejects.toThrow('No provider has a method with @Job(Unknown).');
  });

  it('are checked when it runs, by the version that runs it', async () => {
    const id = await service.app.get(Database).transaction(async () => {
      const started = await jobs.start(CountTo, { end: 1 });
      await runs.repository.update({ id: started }, { arguments: '{"last":1}' });
      return started;
    });
    const error = async () => (await runs.findOne(id))?.error;
    await until(async () => (await error()) !== null);
    expect(await error()).toBe(`Error: ${unfit}end is required.`);
  });

  it('are as bounded as the cursor', async () => {
    const id = await jobs.start(CountTo, { end: 1 });
    const error = async () => (await runs.findOne(id))?.error;
    await until(async () => (await error()) !== null);
    expect(await error()).toContain('The cursor of Counter.count would take 65538 characters');
  });

  it('are not those of two jobs, which would keep the service from starting', async () => {
    @Injectable()
    class Twin {
      @Job(CountTo)
      count(): void {}
    }
    @Module({ providers: [Counter, Twin] })
    class TwinsModule {}
    await expect(withFeatures({ TwinsModule }, () => startTestService('sqlite'))).rejects.toThrow(
      'Counter.count and Twin.count are started by CountTo: give each a class of its own.',
    );
  });
});
