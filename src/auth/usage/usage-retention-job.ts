import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../platform/database/database-clock';
import { RetentionJob } from '../../platform/database/entities/retention-job';
import { InjectLogger, type Logger } from '../../platform/logging/logging.module';
import { OperationUsesRepository } from './operation-uses.repository';
import { DAY_MS } from '../../platform/values/calendar';

/** Days for which daily uses are kept: a year can be compared with the one before. */
const KEPT_DAYS = 400;

/** Deletes the uses of days long past. */
@Injectable()
export class UsageRetentionJob extends RetentionJob {
  constructor(
    private readonly uses: OperationUsesRepository,
    clock: DatabaseClock,
    @InjectLogger() logger: Logger,
  ) {
    super(clock, logger, {
      intervalMs: 3_600_000,
      warning: 'Old uses of API keys could not be removed; the next attempt is in an hour.',
    });
  }

  protected batches(now: number) {
    const first = new Date(now - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10);
    return [() => this.uses.deleteDaysBefore(first)];
  }
}
