import { Injectable } from '@nestjs/common';
import { Sweep } from '../../database/sweep';
import { InjectLogger, type Logger } from '../../logging/logging.module';
import { KEPT_MS } from './idempotency';
import { IdempotentResponsesRepository } from './idempotent-responses.repository';

/** Removes kept responses that no client can ask for any more. */
@Injectable()
export class ExpiredResponses extends Sweep {
  constructor(
    private readonly answers: IdempotentResponsesRepository,
    @InjectLogger() logger: Logger,
  ) {
    super(logger, {
      intervalMs: 10 * 60_000,
      warning: 'Expired idempotency keys could not be removed; the next attempt is in ten minutes.',
    });
  }

  protected batches() {
    const before = new Date(Date.now() - KEPT_MS);
    return [() => this.answers.deleteBefore(before)];
  }
}
