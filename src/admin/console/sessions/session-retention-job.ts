import { Injectable } from '@nestjs/common';
import { Retention } from '../../../platform/jobs/retention';
import { Scheduled } from '../../../platform/jobs/scheduled.decorator';
import { AdminSessionsRepository } from './admin-sessions.repository';
import { IDLE_MS, LONGEST_MS } from './sessions.service';

/** Removes sessions that are over, and records of forms that can no longer be sent. */
@Injectable()
export class SessionRetentionJob {
  constructor(
    private readonly sessions: AdminSessionsRepository,
    private readonly retention: Retention,
  ) {}

  @Scheduled('*/10 * * * *', {
    title: 'Remove ended sessions of the console',
    runsInReadOnlyMode: true,
  })
  run(): Promise<void> {
    return this.retention.run((now) => {
      const idle = new Date(now - IDLE_MS);
      // A form can be sent no longer than the longest session in which it was shown lasts.
      const oldest = new Date(now - LONGEST_MS);
      return [() => this.sessions.deleteEnded(idle, oldest), () => this.sessions.deleteSentForms(oldest)];
    });
  }
}
