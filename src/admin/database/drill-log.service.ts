import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { addGaugeIfKnown } from '../../platform/telemetry/add-gauge';
import { Metrics } from '../../platform/telemetry/metrics';
import { DAY_MS } from '../../platform/values/calendar';
import type { DrillFindings } from './drill';

/** Time after which a restore is to be tried again, in milliseconds; the alert `PetstoreNoRestoreDrill` has the same. */
export const DRILL_EVERY_MS = 100 * DAY_MS;

const PASSED = { type: 'drills', id: 'passed' };
const FAILED = { type: 'drills', id: 'failed' };

/** The record of drills: events of the audit log. */
@Injectable()
export class DrillLog {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    { registry }: Metrics,
  ) {
    addGaugeIfKnown(
      registry,
      'petstore_last_restore_timestamp_seconds',
      'Time of the last drill that restored a backup and found it sound, 0 without one.',
      async () => ((await this.lastPassed())?.getTime() ?? 0) / 1_000,
    );
  }

  /** Records a drill. No row changes, so it may be recorded in read-only mode. */
  async record(backup: string, { problems, migrated, tables }: DrillFindings): Promise<void> {
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const after = { backup: basename(backup), ...(problems.length > 0 ? { problems } : { rows, migrated }) };
    const subject = problems.length > 0 ? FAILED : PASSED;
    await this.database.transaction(() =>
      this.audit.recordWhileReadOnly({ action: 'database.drill', subject, after }),
    );
  }

  /** Returns when a drill last found a backup sound; undefined if none has. */
  async lastPassed(): Promise<Date | undefined> {
    return (await this.audit.latest(PASSED))?.at;
  }
}
