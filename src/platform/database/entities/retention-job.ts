import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Logger } from '../../logging/logging.module';
import type { DatabaseClock } from '../database-clock';

/** When a retention job runs, and what it says when it fails. */
export interface RetentionPlan {
  /** Milliseconds between two runs. */
  readonly intervalMs: number;
  /** What is logged when a run fails; it is tried again at the next. */
  readonly warning: string;
}

/** Batches of one run: bounded, and more than accumulates between two. */
const MAX_BATCHES = 1_000;

/**
 * Deletes rows at the end of their retention period: at intervals and in batches, so that other work gets its turn. Whether that has
 * come, the clock of the database says: that of one node may be hours ahead, and what is deleted is gone for all.
 */
export abstract class RetentionJob implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private hasEnded = false;

  constructor(
    private readonly clock: DatabaseClock,
    private readonly logger: Logger,
    private readonly plan: RetentionPlan,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.run(), this.plan.intervalMs).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.hasEnded = true;
    await this.running;
  }

  /** Deletes what is out of its period. A call while a run is under way waits for that run. */
  run(): Promise<void> {
    this.running ??= this.deleteAll().finally(() => (this.running = undefined));
    return this.running;
  }

  /** What to delete at an instant (Unix milliseconds), kind by kind: each deletes one batch and says whether there may be more. */
  protected abstract batches(now: number): readonly (() => Promise<boolean>)[];

  private async deleteAll(): Promise<void> {
    try {
      const now = await this.clock.now();
      for (const deleteBatch of this.batches(now.getTime())) {
        for (let batch = 0; batch < MAX_BATCHES && !this.hasEnded; batch++) {
          if (!(await deleteBatch())) break;
        }
      }
    } catch (error) {
      this.logger.warn({ err: error }, this.plan.warning);
    }
  }
}
