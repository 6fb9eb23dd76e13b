import { Injectable } from '@nestjs/common';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { Retention } from '../jobs/retention';
import { Scheduled } from '../jobs/scheduled.decorator';
import { DAY_MS } from '../values/calendar';
import { ClientChangesRepository } from './client-changes.repository';
import { firstIdAt } from './logged-request-id';
import { RequestLogRepository } from './request-log.repository';

/** Most requests kept, of all nodes together: half a gigabyte. */
const MAX_REQUESTS = 1_000_000;

/** Deletes requests that are too many or too old for the settings, and changes of records that are too old. */
@Injectable()
export class RequestLogRetentionJob {
  constructor(
    private readonly requests: RequestLogRepository,
    private readonly changes: ClientChangesRepository,
    private readonly retention: Retention,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Scheduled('*/10 * * * *', { title: 'Remove old requests from the request log', runsInReadOnlyMode: true })
  run(): Promise<void> {
    const { requestLogDays, recordHistoryDays } = this.settings;
    return this.retention.run((now) => {
      const firstKept = (days: number) => firstIdAt(now - days * DAY_MS);
      // Counted once per run, because it takes long.
      let firstWithin: Promise<bigint | undefined> | undefined;
      return [
        () => this.requests.deleteBefore(firstKept(requestLogDays)),
        () => this.changes.deleteBefore(firstKept(recordHistoryDays)),
        async () => {
          const first = await (firstWithin ??= this.requests.idOfOldestIn(MAX_REQUESTS));
          return first !== undefined && this.requests.deleteBefore(first);
        },
      ];
    });
  }
}
