import { Injectable } from '@nestjs/common';
import { Retention } from '../../../platform/jobs/retention';
import { Scheduled } from '../../../platform/jobs/scheduled.decorator';
import { DAY_MS } from '../../../platform/values/calendar';
import { ImportBatchesRepository } from './import-batches.repository';

/** Days for which an import can be undone. */
export const UNDO_DAYS = 90;

/** Removes what is kept to undo imports, once they are too old for that. */
@Injectable()
export class ImportRetentionJob {
  constructor(
    private readonly batches: ImportBatchesRepository,
    private readonly retention: Retention,
  ) {}

  @Scheduled('45 3 * * *', { title: 'Remove what undoes old imports' })
  run(): Promise<void> {
    return this.retention.run((now) => [() => this.batches.deleteBefore(new Date(now - UNDO_DAYS * DAY_MS))]);
  }
}
