import { DataSource } from 'typeorm';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { startTestService } from '../../../test/support/service/service';
import { DAY_MS } from '../values/calendar';
import { JobRunRetentionJob } from './job-run-retention-job';
import { ScheduledJob } from './scheduled-job.entity';

describeOneEngine('The job that removes old runs', (engine) => {
  it('removes scheduled methods of no version 30 days after they were due, and none that this version has', async () => {
    const service = await startTestService(engine);
    const jobs = service.app.get(DataSource).getRepository(ScheduledJob);
    const daysAgo = (days: number) => ({
      dueAt: new Date(Date.now() - days * DAY_MS),
      schedule: '0 3 * * * UTC',
    });
    await jobs.clear();
    await jobs.insert([
      { name: 'Gone.run', ...daysAgo(31) },
      { name: 'JustGone.run', ...daysAgo(29) },
      { name: 'JobRunRetentionJob.run', ...daysAgo(31) },
    ]);
    await service.app.get(JobRunRetentionJob, { strict: false }).run();
    const left = await jobs.find({ order: { name: 'ASC' } });
    expect(left.map(({ name }) => name)).toEqual(['JobRunRetentionJob.run', 'JustGone.run']);
    await service.stop();
  });
});
