import { Injectable } from '@nestjs/common';
import { RetentionJob } from '../../database/retention-job';
import { InjectLogger, type Logger } from '../../logging/logging.module';
import { RESPONSE_LIFETIME_MS } from './idempotency';
import { IdempotentResponsesRepository } from './idempotent-responses.repository';

/** Removes kept responses that no client can ask for any more. */
@Injectable()
export class ResponseRetentionJob extends RetentionJob {
  constructor(
    private readonly responses: IdempotentResponsesRepository,
    @InjectLogger() logger: Logger,
  ) {
    super(logger, {
      intervalMs: 10 * 60_000,
      warning: 'Expired idempotency keys could not be removed; the next attempt is in ten minutes.',
    });
  }

  protected batches() {
    const before = new Date(Date.now() - RESPONSE_LIFETIME_MS);
    return [() => this.responses.deleteBefore(before)];
  }
}
