import { Module } from '@nestjs/common';
import { JobRunsModule } from '../../jobs/job-runs.module';
import { ReadOnlyModeModule } from '../../read-only/read-only-mode.module';
import { ResponseModule } from '../response/response.module';
import { Idempotency } from './idempotency';
import { IdempotentResponsesRepository } from './idempotent-responses.repository';
import { ResponseRetentionJob } from './response-retention-job';

/** Keeps the response of a request, and gives it again to those with its `Idempotency-Key`. */
@Module({
  imports: [JobRunsModule, ReadOnlyModeModule, ResponseModule],
  providers: [Idempotency, IdempotentResponsesRepository, ResponseRetentionJob],
  exports: [Idempotency],
})
export class IdempotencyModule {}
