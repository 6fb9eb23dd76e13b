import pTimeout from 'p-timeout';
import { ServiceUnavailableError } from '../../errors/http-errors';
import type { Logger } from '../../logging/logging.module';
import type { SchemaReadiness } from '../schema/schema-state';

/** Storage of the rows of a buffer. */
export interface WriteTarget<Row> {
  /** Most rows that wait for a database that is away. */
  readonly limit: number;
  /** Most rows of one write: some milliseconds, so that other work gets its turn. */
  readonly batch: number;
  /** Key of a row: two rows with the same key are written as one. */
  keyOf(row: Row): unknown;
  /** Makes one row of two with the same key; the newer one replaces the other unless given. */
  merge?(older: Row, newer: Row): Row;
  /** Stores rows. They are given again when this fails, and then some may be stored already. */
  write(rows: readonly Row[]): Promise<void>;
  /** True if rows are dropped that a database in reach refuses: it would refuse them again. Others are kept and tried last. */
  readonly dropsRefused?: boolean;
  /** Called for each dropped row. */
  onDropped?(): void;
  /** Warning to log for the first of several failed writes in a row. */
  readonly warning: string;
}

/**
 * Rows that gather in memory and are written together, so that no request waits for its own. They are kept while the database is
 * away, up to a limit beyond which new ones are dropped. Its owner decides when they are written.
 */
export class WriteBuffer<Row> {
  private readonly waiting = new Map<unknown, Row>();
  /** Number of rows that are being written. */
  private inWrite = 0;
  private flushing: Promise<void> | undefined;
  private isFailing = false;

  constructor(
    private readonly schema: Pick<SchemaReadiness, 'isCurrent'>,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly target: WriteTarget<Row>,
  ) {}

  /** Number of rows that are not stored yet. */
  get size(): number {
    return this.waiting.size + this.inWrite;
  }

  /** True if rows with new keys are dropped. */
  get isFull(): boolean {
    return this.size >= this.target.limit;
  }

  /** Adds a row, or drops it if too many wait. */
  add(row: Row): void {
    const key = this.target.keyOf(row);
    const older = this.waiting.get(key);
    if (older !== undefined) this.waiting.set(key, this.merged(older, row));
    else if (this.isFull) this.target.onDropped?.();
    else this.waiting.set(key, row);
  }

  /** Removes a row that is not being written. */
  remove(key: unknown): void {
    this.waiting.delete(key);
  }

  /** Writes the waiting rows; never rejects. A call during another one waits for that, which writes what has come meanwhile. */
  async flush(): Promise<void> {
    if (this.waiting.size > 0) this.flushing ??= this.writeAll();
    await this.flushing;
  }

  /**
   * Writes the rows for the last time, and logs if that fails.
   *
   * @param milliseconds longest wait for a database that does not respond; none unless given
   */
  async stop(milliseconds = Infinity): Promise<void> {
    const last = Promise.resolve(this.flushing).then(() => {
      this.isFailing = false;
      return this.flush();
    });
    await pTimeout(last, { milliseconds, message: false });
  }

  private async writeAll(): Promise<void> {
    try {
      // The start has reported a table that is still missing.
      if (!(await this.schema.isCurrent())) return;
      while (this.waiting.size > 0) await this.writeBatch(this.takeBatch());
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.warn({ err: error }, this.target.warning);
      this.isFailing = true;
    } finally {
      this.flushing = undefined;
    }
  }

  private takeBatch(): Row[] {
    const batch: Row[] = [];
    for (const [key, row] of this.waiting) {
      batch.push(row);
      this.waiting.delete(key);
      if (batch.length === this.target.batch) break;
    }
    return batch;
  }

  private async writeBatch(batch: readonly Row[]): Promise<void> {
    const { target } = this;
    this.inWrite = batch.length;
    try {
      await target.write(batch);
    } catch (error) {
      if (target.dropsRefused && !(error instanceof ServiceUnavailableError)) {
        for (let i = 0; i < batch.length; i++) target.onDropped?.();
      } else batch.forEach((row) => this.putBack(row));
      throw error;
    } finally {
      this.inWrite = 0;
    }
  }

  /** Returns a row whose write failed to the waiting ones. */
  private putBack(row: Row): void {
    const key = this.target.keyOf(row);
    const newer = this.waiting.get(key);
    this.waiting.set(key, newer === undefined ? row : this.merged(row, newer));
  }

  private merged(older: Row, newer: Row): Row {
    return this.target.merge ? this.target.merge(older, newer) : newer;
  }
}
