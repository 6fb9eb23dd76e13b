import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module';
import { JobRunsModule } from '../jobs/job-runs.module';
import { ClientChangesRepository } from './client-changes.repository';
import { RequestLog } from './request-log';
import { RequestLogRepository } from './request-log.repository';
import { RequestLogRetentionJob } from './request-log-retention-job';

/** Records what became of requests, and what they changed. */
@Module({
  imports: [DatabaseModule, JobRunsModule],
  providers: [ClientChangesRepository, RequestLog, RequestLogRepository, RequestLogRetentionJob],
  exports: [ClientChangesRepository, RequestLog, RequestLogRepository],
})
export class RequestLogModule {}
