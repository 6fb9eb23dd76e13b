import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../values/calendar';
import { Retention } from './retention';
import { Scheduled } from './scheduled.decorator';
import { StoredRunsRepository } from './stored-runs.repository';

/** Days for which a run is kept that is finished, failed or stopped. */
const KEPT_DAYS = 30;

/** Removes runs of jobs that ended long ago. */
@Injectable()
export class JobRunRetentionJob {
  constructor(
    private readonly runs: StoredRunsRepository,
    private readonly retention: Retention,
  ) {}

  @Scheduled('50 3 * * *', { title: 'Remove old runs of jobs' })
  run(): Promise<void> {
    return this.retention.run((now) => [
      () => this.runs.deleteBatch('endedAt', new Date(now - KEPT_DAYS * DAY_MS)),
    ]);
  }
}
