import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DatabaseModule } from '../database/database.module';
import { LoggingModule } from '../logging/logging.module';
import { ReadOnlyModeModule } from '../read-only/read-only-mode.module';
import { DecoratedMethods } from './decorated-methods';
import { JobMethods } from './job-methods';
import { JobMetrics } from './job-metrics';
import { JobRunRetentionJob } from './job-run-retention-job';
import { JobRunner } from './job-runner.service';
import { Retention } from './retention';
import { ScheduledJobsRepository } from './scheduled-jobs.repository';
import { Scheduler } from './scheduler.service';
import { StoredRunsRepository } from './stored-runs.repository';

/** Runs methods at their times, or with arguments; every module can start a job. */
@Module({
  imports: [DatabaseModule, DiscoveryModule, LoggingModule, ReadOnlyModeModule],
  providers: [
    DecoratedMethods,
    JobMethods,
    JobMetrics,
    JobRunRetentionJob,
    JobRunner,
    Retention,
    ScheduledJobsRepository,
    Scheduler,
    StoredRunsRepository,
  ],
  exports: [
    DecoratedMethods,
    JobMethods,
    JobRunner,
    Retention,
    ScheduledJobsRepository,
    Scheduler,
    StoredRunsRepository,
  ],
})
export class JobRunsModule {}
