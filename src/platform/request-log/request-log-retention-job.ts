import { Injectable } from '@nestjs/common';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { DatabaseClock } from '../database/database-clock';
import { RetentionJob } from '../database/entities/retention-job';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { DAY_MS } from '../values/calendar';
import { ClientChangesRepository } from './client-changes.repository';
import { firstIdAt } from './logged-request-id';
import { RequestLogRepository } from './request-log.repository';

/** Deletes requests that are too old or too many for the settings, and changes of records that are too old. */
@Injectable()
export class RequestLogRetentionJob extends RetentionJob {
  constructor(
    private readonly requests: RequestLogRepository,
    private readonly changes: ClientChangesRepository,
    @InjectSettings() private readonly settings: Settings,
    clock: DatabaseClock,
    @InjectLogger() logger: Logger,
  ) {
    super(clock, logger, {
      intervalMs: 10 * 60_000,
      warning: 'Old requests could not be removed from the request log; the next attempt is in ten minutes.',
    });
  }

  protected batches(now: number) {
    const { requestLogDays, requestLogMaxRows, recordHistoryDays } = this.settings;
    const firstKept = (days: number) => firstIdAt(now - days * DAY_MS);
    // Counted once per run, because it takes long.
    let firstWithin: Promise<bigint | undefined> | undefined;
    return [
      () => this.requests.deleteBefore(firstKept(requestLogDays)),
      () => this.changes.deleteBefore(firstKept(recordHistoryDays)),
      async () => {
        const first = await (firstWithin ??= this.requests.idOfOldestIn(requestLogMaxRows));
        return first !== undefined && this.requests.deleteBefore(first);
      },
    ];
  }
}
