import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InjectLogger, type Logger } from '../../logging/logging.module';
import { KEPT_MS } from './idempotency';
import { IdempotentAnswersRepository } from './idempotent-answers.repository';

const INTERVAL_MS = 10 * 60 * 1_000;

/** Batches of one run: more than a day's answers at full load, yet bounded. */
const MAX_BATCHES = 1_000;

/** Removes kept answers nobody can ask for any more, now and then and a batch at a time. */
@Injectable()
export class ExpiredAnswers implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private hasEnded = false;

  constructor(
    private readonly answers: IdempotentAnswersRepository,
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

  /** Removes what has expired; a run that is under way is not doubled. */
  sweep(): Promise<void> {
    this.sweeping ??= this.run().finally(() => (this.sweeping = undefined));
    return this.sweeping;
  }

  private async run(): Promise<void> {
    try {
      const before = new Date(Date.now() - KEPT_MS);
      for (let batch = 0; batch < MAX_BATCHES && !this.hasEnded; batch++) {
        if (!(await this.answers.deleteBefore(before))) return;
      }
    } catch (error) {
      this.logger.warn(
        { err: error },
        'Expired idempotency keys could not be removed; the next attempt is in ten minutes.',
      );
    }
  }
}
