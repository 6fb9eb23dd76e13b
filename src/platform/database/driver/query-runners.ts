import type { ReadStream } from 'node:fs';
import type SqliteDatabase from 'better-sqlite3';
import type { PoolClient } from 'pg';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner';
import { currentTimeline } from '../../tracing/request-context';
import { beginSpan } from '../../tracing/span';
import { databaseSpan } from './database-span';
import { translateDriverError } from './driver-errors';
import type { PostgresClient } from './postgres-client';
import { LongHold } from './long-hold';
import { describe, serviceRunner } from './service-runner';
import { assertFileInPlace } from './sqlite-file';

/** A member of `pg`'s clients that its types lack: `I` outside a transaction. */
interface TransactionStatus {
  getTransactionStatus(): string | null;
}

/** A query runner on PostgreSQL. */
export class ServicePostgresRunner extends serviceRunner(PostgresQueryRunner) {
  private streams: Set<ReadStream> | undefined;
  private last: PostgresClient | undefined;

  /** @throws what ended the connection between two statements, in place of TypeORM's word that the runner was released */
  override beginStatement(): undefined {
    this.last ??= this.databaseConnection as PostgresClient | undefined;
    if (this.isReleased && this.last?.fault) throw this.last.fault;
  }

  /** Rows as they are read: each of them is something that is asked of the runner. The statement ends with its stream. */
  override async stream(...given: Parameters<PostgresQueryRunner['stream']>): Promise<ReadStream> {
    this.noteTaker();
    this.watch();
    const ended = this.beginStream(given[0]);
    try {
      const stream = await super.stream(...given);
      const read = stream.read.bind(stream);
      let rows = 0;
      stream.read = (size?: number) => {
        this.touch();
        const row = read(size) as unknown;
        if (row !== null) rows++;
        return row;
      };
      stream.once('close', () => ended(rows, stream.errored));
      const streams = (this.streams ??= new Set());
      streams.add(stream);
      stream.once('close', () => streams.delete(stream));
      return stream;
    } catch (error) {
      ended(0, error);
      throw translateDriverError(error);
    }
  }

  /** @returns what counts, times and traces the statement once its stream has ended */
  private beginStream(sql: string): (rows: number, error: unknown) => void {
    const timeline = currentTimeline();
    const span = beginSpan(databaseSpan('postgres', describe(sql)));
    const began = performance.now();
    return (rows, error) => {
      timeline?.addStatement(sql, began, error ? undefined : rows);
      span?.end(error ?? undefined);
    };
  }

  private get client(): (PoolClient & TransactionStatus) | undefined {
    return this.databaseConnection as (PoolClient & TransactionStatus) | undefined;
  }

  override end(): Promise<void> {
    const isIdle = !this.streams && !this.transaction && this.client?.getTransactionStatus() === 'I';
    return isIdle ? super.end() : this.endWork();
  }

  private async endWork(): Promise<void> {
    // Later statements on the connection would wait for the rows that nobody reads.
    for (const stream of this.streams ?? []) if (!stream.readableEnded) stream.destroy();
    const { client } = this;
    if (this.depth > 0) await this.rollBackAll();
    // Begun by SQL alone. The next user of the connection would be inside it.
    if (client && !this.isReleased && client.getTransactionStatus() !== 'I') {
      await client.query('ROLLBACK').catch(() => undefined);
    }
    await super.end();
  }

  override connect(): Promise<unknown> {
    // Not for reads of repositories, which release theirs in any case: a stack costs a fifth of what they do, a timer a thirtieth.
    const isRepositorys = this.getReplicationMode() === 'slave' && this.running > 0;
    if (!isRepositorys) {
      this.noteTaker();
      this.watch();
    }
    return super.connect();
  }
}

/** Matches statements that can neither begin a transaction nor change anything, and that SQLite carries out in one call. */
const READ = /^\s*SELECT\b/i;

/**
 * A query runner on SQLite, where all share one connection: it has the connection to itself while a statement that writes runs
 * or a transaction is open, so no statement slips into the transaction of another. Reads keep transactions out, but not each
 * other.
 */
export class ServiceSqliteRunner extends serviceRunner(BetterSqlite3QueryRunner) {
  private isHolding = false;
  private turn: Promise<void> | undefined;
  /** Reads that share the connection, or wait to; until they are through, no statement of this runner has it alone. */
  private sharing = 0;
  private hold: LongHold | undefined;
  /** A migration takes as long as it takes, and the service waits for it. */
  private isMigrating = false;

  private get sqlite(): SqliteDatabase.Database {
    return this.driver.databaseConnection as SqliteDatabase.Database;
  }

  override beginStatement(sql: string): Promise<void> | undefined {
    if (this.isHolding) return this.turn;
    if (READ.test(sql)) {
      this.sharing++;
      return this.service.connectionLock.share();
    }
    assertFileInPlace(this.sqlite);
    this.isHolding = true;
    this.turn = this.service.connectionLock.acquire();
    return this.turn;
  }

  override endStatement(): void {
    if (this.sharing === 0) return this.giveBack();
    this.sharing--;
    this.service.connectionLock.leave();
  }

  override async startTransaction(
    ...given: Parameters<BetterSqlite3QueryRunner['startTransaction']>
  ): Promise<void> {
    await super.startTransaction(...given);
    if (!this.isMigrating) this.hold ??= new LongHold(this.service.longHoldMs, this.transaction?.place);
  }

  override async beforeMigration(): Promise<void> {
    this.isMigrating = true;
    await super.beforeMigration();
  }

  override async commitTransaction(): Promise<void> {
    try {
      await super.commitTransaction();
    } finally {
      this.giveBack();
    }
  }

  override async rollbackTransaction(): Promise<void> {
    // On a full disk and its like SQLite has rolled back by itself, and a ROLLBACK fails for want of a transaction. TypeORM
    // would believe the transaction to go on, begin the next as a savepoint within, and leave that open when it fails:
    // what is written from then on would be acknowledged and never committed. A file that was closed has rolled back, too.
    const isActive = this.isTransactionActive && this.isHolding && this.sqlite.open;
    if (isActive && !this.sqlite.inTransaction) this.sqlite.exec('BEGIN');
    try {
      await super.rollbackTransaction();
    } finally {
      this.giveBack();
    }
  }

  override end(): Promise<void> {
    return this.isHolding || this.transaction ? this.endTransaction() : super.end();
  }

  private async endTransaction(): Promise<void> {
    await super.end();
    this.isTransactionActive = false;
    if (this.isHolding && this.running === 0 && this.sqlite.inTransaction) this.sqlite.exec('ROLLBACK');
    this.giveBack();
  }

  private giveBack(): void {
    if (!this.isHolding || this.running > 0 || this.isTransactionActive || this.sqlite.inTransaction) return;
    this.isHolding = false;
    this.turn = undefined;
    this.hold?.end();
    this.hold = undefined;
    this.service.connectionLock.release();
  }
}
