import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/database/database.module';
import { JobRunsModule } from '../../platform/jobs/job-runs.module';
import { StoredKeysModule } from '../stored-keys.module';
import { KeyUsage } from './key-usage';
import { OperationUsesRepository } from './operation-uses.repository';
import { UsageRetentionJob } from './usage-retention-job';
import { UsageService } from './usage.service';

/** Uses of API keys and of operations. */
@Module({
  imports: [DatabaseModule, JobRunsModule, StoredKeysModule],
  providers: [KeyUsage, OperationUsesRepository, UsageRetentionJob, UsageService],
  exports: [KeyUsage, UsageService],
})
export class UsageModule {}
