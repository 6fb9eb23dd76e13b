import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Logger } from '../../logging/logging.module';
import type { DatabaseClock } from '../database-clock';

/** Interval of a retention job, and its warning when a run fails. */
export interface RetentionPlan {
  /** Milliseconds between two runs. */
  readonly intervalMs: number;
  /** Warning to log when a run fails; the job tries again at the next one. */
  readonly warning: string;
}

/** Batches of one run: bounded, and more than accumulates between two. */
const MAX_BATCHES = 1_000;

/**
 * Deletes rows at the end of their retention period: at intervals and in batches, so that other work gets its turn. The clock
 * of the database decides when that end has come: the clock of one node may be hours ahead, and deleted rows are gone for all.
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

  /** Deletes the rows that are past their period. A call while a run is under way waits for that run. */
  run(): Promise<void> {
    this.running ??= this.deleteAll().finally(() => (this.running = undefined));
    return this.running;
  }

  /**
   * Returns the deletions due at an instant (Unix milliseconds), by kind: each deletes one batch and resolves to true if more
   * may be left.
   */
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
