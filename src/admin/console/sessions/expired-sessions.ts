import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InjectLogger, type Logger } from '../../../platform/logging/logging.module';
import { AdminSessionsRepository } from './admin-sessions.repository';
import { IDLE_MS, LONGEST_MS } from './sessions.service';

const INTERVAL_MS = 10 * 60_000;
/** Batches of one run, so that it is bounded. */
const MAX_BATCHES = 100;

/** Removes sessions that are over and forms nobody can send again, now and then and a batch at a time. */
@Injectable()
export class ExpiredSessions implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private hasEnded = false;

  constructor(
    private readonly sessions: AdminSessionsRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.sweep(), INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.hasEnded = true;
    await this.sweeping;
  }

  /** Removes what is over; a run that is under way is not doubled. */
  sweep(): Promise<void> {
    this.sweeping ??= this.run().finally(() => (this.sweeping = undefined));
    return this.sweeping;
  }

  private async run(): Promise<void> {
    try {
      const idle = new Date(Date.now() - IDLE_MS);
      // A form cannot be sent any longer than the longest session lasts that it was shown in.
      const oldest = new Date(Date.now() - LONGEST_MS);
      await this.inBatches(() => this.sessions.deleteEnded(idle, oldest));
      await this.inBatches(() => this.sessions.deleteSentForms(oldest));
    } catch (error) {
      this.logger.warn(
        { err: error },
        'Sessions of the console that are over could not be removed; the next attempt is in ten minutes.',
      );
    }
  }

  private async inBatches(deleteSome: () => Promise<boolean>): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES && !this.hasEnded; batch++) {
      if (!(await deleteSome())) return;
    }
  }
}
