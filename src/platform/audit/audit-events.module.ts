import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module';
import { JobRunsModule } from '../jobs/job-runs.module';
import { AuditEventsRepository } from './audit-events.repository';
import { AuditRetentionJob } from './audit-retention-job';

/** Stored entries of the audit log; every module can record one. */
@Module({
  imports: [DatabaseModule, JobRunsModule],
  providers: [AuditEventsRepository, AuditRetentionJob],
  exports: [AuditEventsRepository],
})
export class AuditEventsModule {}
