import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../../platform/database/database-clock';
import { RetentionJob } from '../../../platform/database/entities/retention-job';
import { InjectLogger, type Logger } from '../../../platform/logging/logging.module';
import { AdminSessionsRepository } from './admin-sessions.repository';
import { IDLE_MS, LONGEST_MS } from './sessions.service';

/** Removes sessions that are over, and records of forms that can no longer be sent. */
@Injectable()
export class SessionRetentionJob extends RetentionJob {
  constructor(
    private readonly sessions: AdminSessionsRepository,
    clock: DatabaseClock,
    @InjectLogger() logger: Logger,
  ) {
    super(clock, logger, {
      intervalMs: 10 * 60_000,
      warning:
        'Sessions of the console that are over could not be removed; the next attempt is in ten minutes.',
    });
  }

  protected batches(now: number) {
    const idle = new Date(now - IDLE_MS);
    // A form can be sent no longer than the longest session in which it was shown lasts.
    const oldest = new Date(now - LONGEST_MS);
    return [() => this.sessions.deleteEnded(idle, oldest), () => this.sessions.deleteSentForms(oldest)];
  }
}
