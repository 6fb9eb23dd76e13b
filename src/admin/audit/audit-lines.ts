import { Injectable } from '@nestjs/common';
import { AuditEventsRepository } from '../../platform/audit/audit-events.repository';
import { AuditLog } from '../../platform/audit/audit-log';
import { batchesOf } from '../../platform/database/statements/batches';
import { Events } from '../../platform/events/events';
import { OnEvent } from '../../platform/events/on-event.decorator';
import { InjectLogger, type Logger } from '../../platform/logging/logging.module';
import { LogOutput } from '../../platform/logging/log-output';
import { exactValue } from '../../platform/values/exact-json';
import { viewEvent } from './audit-trail.service';

/** Audit events that one transaction has recorded. */
class AuditEventsRecorded {
  /** The same for all, so that their lines are in order. */
  readonly subject = 'audit';

  constructor(readonly ids: readonly bigint[]) {}
}

/** Events in memory at a time. */
const BATCH = 500;

/** Writes each audit event to the log, at least once, after the commit: the ids wait in the table of stored events until then. */
@Injectable()
export class AuditLines {
  private readonly lines: Logger;

  constructor(
    log: AuditLog,
    events: Events,
    private readonly recorded: AuditEventsRepository,
    @InjectLogger() logger: Logger,
  ) {
    // Whatever LOG_LEVEL is.
    this.lines = logger.child({}, { level: 'info' });
    log.onRecord((ids) => events.publish(new AuditEventsRecorded(ids)));
  }

  /** @throws Error if lines may be lost, so that they are written again */
  @OnEvent(AuditEventsRecorded, { delivery: 'durable' })
  async write({ ids }: AuditEventsRecorded): Promise<void> {
    for (const batch of batchesOf(ids, BATCH)) {
      for (const event of await this.recorded.withIds(batch)) {
        this.lines.info({ audit: exactValue(viewEvent(event)) }, 'An audit event was recorded.');
      }
      if (LogOutput.of(this.lines).isBehind) throw new Error('The reader of the log does not keep up.');
    }
  }
}
