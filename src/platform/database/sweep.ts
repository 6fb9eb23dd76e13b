import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Logger } from '../logging/logging.module';

/** How a sweep goes about it. */
export interface SweepPlan {
  /** Milliseconds between two runs. */
  readonly intervalMs: number;
  /** What is logged when a run fails; it is tried again at the next. */
  readonly warning: string;
}

/** Batches of one run: bounded, and more than accumulates between two. */
const MAX_BATCHES = 1_000;

/** Removes rows whose time has passed, now and then and a batch at a time, so that others get their turn. */
export abstract class Sweep implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private hasEnded = false;

  constructor(
    private readonly logger: Logger,
    private readonly plan: SweepPlan,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.sweep(), this.plan.intervalMs).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.hasEnded = true;
    await this.sweeping;
  }

  /** Removes what has had its time; a run that is under way is not doubled. */
  sweep(): Promise<void> {
    this.sweeping ??= this.run().finally(() => (this.sweeping = undefined));
    return this.sweeping;
  }

  /** What to remove, kind by kind: each removes one batch and says whether there may be more. */
  protected abstract batches(): readonly (() => Promise<boolean>)[];

  private async run(): Promise<void> {
    try {
      for (const removeSome of this.batches()) {
        for (let batch = 0; batch < MAX_BATCHES && !this.hasEnded; batch++) {
          if (!(await removeSome())) break;
        }
      }
    } catch (error) {
      this.logger.warn({ err: error }, this.plan.warning);
    }
  }
}
