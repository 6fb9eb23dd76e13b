import { Injectable } from '@nestjs/common';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { DatabaseClock } from '../database/database-clock';
import { RetentionJob } from '../database/retention-job';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { DAY_MS } from '../values/calendar';
import { firstIdAt } from './logged-request-id';
import { RequestLogRepository } from './request-log.repository';

/** Deletes requests that are older or more than the settings allow. */
@Injectable()
export class RequestLogRetentionJob extends RetentionJob {
  constructor(
    private readonly requests: RequestLogRepository,
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
    const { requestLogDays, requestLogMaxRows } = this.settings;
    const firstKept = firstIdAt(now - requestLogDays * DAY_MS);
    // Counting takes long, so once a run.
    let firstWithin: Promise<bigint | undefined> | undefined;
    return [
      () => this.requests.deleteBefore(firstKept),
      async () => {
        const first = await (firstWithin ??= this.requests.idOfOldestIn(requestLogMaxRows));
        return first !== undefined && this.requests.deleteBefore(first);
      },
    ];
  }
}
