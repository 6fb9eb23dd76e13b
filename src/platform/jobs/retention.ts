import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../database/database';
import { DatabaseClock } from '../database/database-clock';
import { yieldToWriters } from '../database/yield-to-writers';

/** Deletes some rows; resolves to true if more may be left. */
export type DeleteBatch = () => Promise<boolean>;

/** Batches of each kind in one run: bounded, and more than accumulates between two. */
const MAX_BATCHES = 1_000;

/**
 * Deletes rows at the end of their retention period, for jobs that do so. In batches, so that other work gets its turn, and until
 * the process stops. The clock of the database decides when the period ends: the clock of one node may be hours ahead, and
 * deleted rows are gone for all.
 */
@Injectable()
export class Retention implements OnApplicationShutdown {
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly clock: DatabaseClock,
  ) {}

  /** The scheduler waits for the jobs that run: they end after their batch. */
  onApplicationShutdown(): void {
    this.isStopping = true;
  }

  /** Runs the deletions due at an instant (Unix milliseconds), one kind after the other. */
  async run(deletionsAt: (now: number) => readonly DeleteBatch[]): Promise<void> {
    const now = await this.clock.now();
    for (const deleteBatch of deletionsAt(now.getTime())) await this.deleteAll(deleteBatch);
  }

  private async deleteAll(deleteBatch: DeleteBatch): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES && !this.isStopping; batch++) {
      const begun = performance.now();
      if (!(await deleteBatch())) return;
      await yieldToWriters(this.database, begun);
    }
  }
}
