import { Injectable } from '@nestjs/common';
import { Retention } from '../../platform/jobs/retention';
import { Scheduled } from '../../platform/jobs/scheduled.decorator';
import { OperationUsesRepository } from './operation-uses.repository';
import { DAY_MS, dayOf } from '../../platform/values/calendar';

/** Days for which daily uses are kept: a year can be compared with the one before. */
const KEPT_DAYS = 400;

/** Deletes the uses of days long past. */
@Injectable()
export class UsageRetentionJob {
  constructor(
    private readonly uses: OperationUsesRepository,
    private readonly retention: Retention,
  ) {}

  @Scheduled('15 * * * *', { title: 'Remove old uses of API keys', runsInReadOnlyMode: true })
  run(): Promise<void> {
    return this.retention.run((now) => {
      const first = dayOf(now - KEPT_DAYS * DAY_MS);
      return [() => this.uses.deleteDaysBefore(first)];
    });
  }
}
