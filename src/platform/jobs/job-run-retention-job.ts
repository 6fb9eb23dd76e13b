import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../values/calendar';
import { Retention } from './retention';
import { Scheduled } from './scheduled.decorator';
import { ScheduledJobsRepository } from './scheduled-jobs.repository';
import { Scheduler } from './scheduler.service';
import { StoredRunsRepository } from './stored-runs.repository';

/** Days for which a run is kept that is finished, failed or stopped, and a scheduled method that was due and is in no version. */
const KEPT_DAYS = 30;

/** Removes runs of jobs that ended long ago, and scheduled methods that are no more. */
@Injectable()
export class JobRunRetentionJob {
  constructor(
    private readonly runs: StoredRunsRepository,
    private readonly scheduled: ScheduledJobsRepository,
    private readonly scheduler: Scheduler,
    private readonly retention: Retention,
  ) {}

  @Scheduled('50 3 * * *', { title: 'Remove old runs of jobs' })
  run(): Promise<void> {
    return this.retention.run((now) => {
      const before = new Date(now - KEPT_DAYS * DAY_MS);
      return [
        () => this.runs.deleteBatch('endedAt', before),
        () => this.scheduled.forget(this.scheduler.names, before).then(() => false),
      ];
    });
  }
}
