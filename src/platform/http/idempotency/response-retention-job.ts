import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../database/database-clock';
import { RetentionJob } from '../../database/entities/retention-job';
import { InjectLogger, type Logger } from '../../logging/logging.module';
import { RESPONSE_LIFETIME_MS } from './idempotency';
import { IdempotentResponsesRepository } from './idempotent-responses.repository';

/** Removes kept responses that no client can ask for any more. */
@Injectable()
export class ResponseRetentionJob extends RetentionJob {
  constructor(
    private readonly responses: IdempotentResponsesRepository,
    clock: DatabaseClock,
    @InjectLogger() logger: Logger,
  ) {
    super(clock, logger, {
      intervalMs: 10 * 60_000,
      warning: 'Expired idempotency keys could not be removed; the next attempt is in ten minutes.',
    });
  }

  protected batches(now: number) {
    const before = new Date(now - RESPONSE_LIFETIME_MS);
    return [() => this.responses.deleteBefore(before)];
  }
}
