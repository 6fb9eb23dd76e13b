import { Module } from '@nestjs/common';
import { JobRunsModule } from '../../platform/jobs/job-runs.module';
import { DatabaseModule } from '../../platform/database/database.module';
import { StoredEventsModule } from '../../platform/events/stored-events.module';
import { ReadOnlyModeModule } from '../../platform/read-only/read-only-mode.module';
import { JobRunsService } from './job-runs.service';
import { JobsService } from './jobs.service';

/**
 * Views and decisions of operators about work without a request: scheduled methods, runs of jobs, and events that are stored
 * for handlers.
 */
@Module({
  imports: [DatabaseModule, JobRunsModule, ReadOnlyModeModule, StoredEventsModule],
  providers: [JobRunsService, JobsService],
  exports: [JobRunsService, JobsService],
})
export class JobsModule {}
