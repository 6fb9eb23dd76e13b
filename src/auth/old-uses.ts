import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InjectLogger, type Logger } from '../platform/logging/logging.module';
import { OperationUsesRepository } from './operation-uses.repository';

/** For how many days the uses of each day are kept: a year can be compared with the one before. */
export const KEPT_DAYS = 400;

const DAY_MS = 86_400_000;
const INTERVAL_MS = 3_600_000;

/** Batches of one run: bounded, and more than a day adds. */
const MAX_BATCHES = 1_000;

/** Forgets the uses of days long past, now and then and a batch at a time. */
@Injectable()
export class OldUses implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private hasEnded = false;

  constructor(
    private readonly uses: OperationUsesRepository,
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

  /** Forgets what is old enough; a run that is under way is not doubled. */
  sweep(): Promise<void> {
    this.sweeping ??= this.run().finally(() => (this.sweeping = undefined));
    return this.sweeping;
  }

  private async run(): Promise<void> {
    try {
      const first = new Date(Date.now() - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10);
      for (let batch = 0; batch < MAX_BATCHES && !this.hasEnded; batch++) {
        if (!(await this.uses.deleteDaysBefore(first))) return;
      }
    } catch (error) {
      this.logger.warn(
        { err: error },
        'Old uses of API keys could not be removed; the next attempt is in an hour.',
      );
    }
  }
}
