import { Injectable } from '@nestjs/common';
import { Retention } from '../../../platform/jobs/retention';
import { Scheduled } from '../../../platform/jobs/scheduled.decorator';
import { DAY_MS } from '../../../platform/values/calendar';
import { ImportFiles } from './import-files.repository';
import { ImportLedger } from './import-ledger.repository';

/** Days for which an import can be undone, and its refused rows can be downloaded. */
export const UNDO_DAYS = 90;

/** Days for which the file of an import is kept that was stopped, or never begun. */
const FILE_DAYS = 7;

/** Removes what is kept of imports to undo them and to correct refused rows, once they are too old for that. */
@Injectable()
export class ImportRetentionJob {
  constructor(
    private readonly ledger: ImportLedger,
    private readonly files: ImportFiles,
    private readonly retention: Retention,
  ) {}

  @Scheduled('45 3 * * *', { title: 'Remove what is kept of old imports' })
  run(): Promise<void> {
    return this.retention.run((now) => [
      () => this.ledger.deleteBefore(new Date(now - UNDO_DAYS * DAY_MS)),
      () => this.files.removeBefore(new Date(now - FILE_DAYS * DAY_MS)),
    ]);
  }
}
