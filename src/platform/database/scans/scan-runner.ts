import type { DataSource, EntityManager } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { QueryResult } from 'typeorm/query-runner/QueryResult.js';
import { assertFileInPlace } from '../driver/sqlite-file';
import { sqliteOf } from '../driver/data-source';
import { currentTimeline } from '../../tracing/request-context';
import type { ScanThread } from './scan-thread';

/**
 * Returns the manager for reads in a thread.
 *
 * @throws ServiceUnavailableError when the file is not the one that is open
 */
export function scanManager(dataSource: DataSource, thread: ScanThread): EntityManager {
  assertFileInPlace(sqliteOf(dataSource));
  return dataSource.createEntityManager(new ScanRunner(dataSource, thread));
}

/** Runs TypeORM's reads in a {@link ScanThread}. */
class ScanRunner extends BetterSqlite3QueryRunner {
  constructor(
    dataSource: DataSource,
    private readonly thread: ScanThread,
  ) {
    super(dataSource.driver as BetterSqlite3Driver);
  }

  override async query<Result>(sql: string, values: unknown[] = [], isStructured = false): Promise<Result> {
    this.dataSource.logger.logQuery(sql, values, this);
    const rows = await this.run(sql, values);
    if (!isStructured) return rows as Result;
    const result = new QueryResult();
    result.raw = rows;
    result.records = rows;
    return result as Result;
  }

  private async run(sql: string, values: unknown[]): Promise<unknown[]> {
    const timeline = currentTimeline();
    const began = performance.now();
    try {
      const rows = await this.thread.run(sql, values.map(bound));
      timeline?.addStatement(sql, began, rows.length);
      return rows;
    } catch (error) {
      timeline?.addStatement(sql, began, undefined);
      throw error;
    }
  }
}

/** The driver takes no booleans. */
function bound(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}
