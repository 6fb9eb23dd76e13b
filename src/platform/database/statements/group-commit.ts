import type SqliteDatabase from 'better-sqlite3';
import type { Mutex } from '../driver/mutex';
import { assertFileInPlace } from '../driver/sqlite-file';
import type { Statement, StatementValues } from './statement';

/** A write that waits for its group. */
interface Write {
  readonly statement: Statement<unknown>;
  readonly values: StatementValues;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/**
 * Lets writes that arrive together on SQLite share one transaction, and so one fsync, which is most of what a durable
 * write costs. Each is acknowledged after that fsync; one that fails on its own fails alone.
 */
export class GroupCommit {
  private waiting: Write[] = [];

  constructor(
    private readonly connection: () => SqliteDatabase.Database,
    private readonly mutex: Mutex,
  ) {}

  /** Runs a write with those that arrive in the same turn of the event loop. */
  run<Row>(statement: Statement<Row>, values: StatementValues): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ statement, values, resolve: resolve as Write['resolve'], reject });
      if (this.waiting.length === 1) setImmediate(() => void this.flush());
    });
  }

  private async flush(): Promise<void> {
    const group = this.waiting;
    this.waiting = [];
    await this.mutex.runExclusive(() => commit(this.connection(), group));
  }
}

/** Settles every write of the group. It throws nothing, because each writer learns of a fault by its own promise. */
function commit(database: SqliteDatabase.Database, group: readonly Write[]): void {
  const settle: (() => void)[] = [];
  try {
    assertFileInPlace(database);
    if (group.length > 1) database.exec('BEGIN IMMEDIATE TRANSACTION');
    for (const write of group) {
      try {
        const rows = write.statement.run(write.values) as unknown[];
        settle.push(() => write.resolve(rows));
      } catch (error) {
        // A full disk and its like have rolled back the whole group; what followed would commit on its own.
        if (group.length > 1 && !database.inTransaction) throw error;
        settle.push(() => write.reject(error));
      }
    }
    if (group.length > 1) database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    for (const write of group) write.reject(error);
    return;
  }
  for (const done of settle) done();
}
