import { Injectable } from '@nestjs/common';
import { Database } from './database';

/** Time for which the server's last time is counted on from, in milliseconds. */
const FRESH_MS = 5_000;

/**
 * The time by the clock of the database, which all processes share: the clocks of their machines differ, and may be set.
 * A promise that holds until an instant, of one process to the others, goes by this clock.
 */
@Injectable()
export class DatabaseClock {
  private readonly question = this.database.prepare<{ time: bigint }>(() => ({
    getQueryAndParameters: () => ['SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8 AS time', []],
  }));
  private asked: { readonly time: number; readonly at: number } | undefined;

  constructor(private readonly database: Database) {}

  async now(): Promise<Date> {
    // All processes on one file are on one machine.
    if (this.database.engine === 'sqlite') return new Date();
    if (!this.asked || performance.now() - this.asked.at > FRESH_MS) {
      const [row] = await this.database.query(this.question, {});
      this.asked = { time: Number(row?.time), at: performance.now() };
    }
    return new Date(this.asked.time + performance.now() - this.asked.at);
  }
}
