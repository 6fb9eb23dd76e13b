import { Injectable } from '@nestjs/common';
import { Retention } from '../../jobs/retention';
import { Scheduled } from '../../jobs/scheduled.decorator';
import { RESPONSE_LIFETIME_MS } from './idempotency';
import { IdempotentResponsesRepository } from './idempotent-responses.repository';

/** Removes kept responses that no client can ask for any more. */
@Injectable()
export class ResponseRetentionJob {
  constructor(
    private readonly responses: IdempotentResponsesRepository,
    private readonly retention: Retention,
  ) {}

  @Scheduled('*/10 * * * *', { title: 'Remove expired idempotency keys', runsInReadOnlyMode: true })
  run(): Promise<void> {
    return this.retention.run((now) => {
      const before = new Date(now - RESPONSE_LIFETIME_MS);
      return [() => this.responses.deleteBefore(before)];
    });
  }
}
