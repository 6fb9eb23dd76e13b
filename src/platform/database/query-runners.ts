import { Logger } from '@nestjs/common';
import type SqliteDatabase from 'better-sqlite3';
import type { PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel';
import { inSpan, isTraced } from '../tracing/span';
import { engineOf } from './column-types';
import { databaseSpan } from './database-span';
import { translateDriverError } from './driver-errors';
import { assertFileInPlace } from './sqlite-file';
import type { Mutex } from './mutex';
import { runAll, type Transaction, type Transactions } from './transactions';

/** A member of `pg`'s clients that its types lack: `I` outside a transaction. */
interface TransactionStatus {
  getTransactionStatus(): string | null;
}

/** What the query runners of a data source share. */
export interface RunnerContext {
  readonly transactions: Transactions;
  /** Held by whatever has the one connection of SQLite to itself. */
  readonly connectionLock: Mutex;
  /** After how long without a statement a query runner that was not released is released, in milliseconds. */
  readonly idleRunnerMs: number;
}

// TypeScript wants `any` of the constructor that a mixin extends, and TypeORM returns it from queries.
/* oxlint-disable typescript/no-explicit-any, typescript/no-unsafe-argument */
type QueryRunnerClass = new (...given: any[]) => QueryRunner;

/** What {@link serviceRunner} adds to a query runner of TypeORM's. */
interface ServiceRunner {
  readonly service: RunnerContext;
  /** How many transactions are open on it: one, and its savepoints. */
  readonly depth: number;
  /** How many callers have been given it: those inside its transaction get the same one. */
  users: number;
  /** Statements under way. */
  readonly running: number;
  /** Whether `Transactions` began its transaction, and ends it. */
  isOwned: boolean;
  /** @returns what resolves when it is the turn of the statement; undefined when that is now */
  beginStatement(sql: string): Promise<void> | undefined;
  endStatement(): void;
  rollBackAll(): Promise<void>;
  /** Rolls back what is open, and gives the connection back. */
  end(): Promise<void>;
  /** Releases the runner when nothing is asked of it for long: a forgotten one would keep its connection for ever. */
  watch(): void;
}

/** TypeORM's query runner of an engine, whose work is part of the service's transactions. */
function serviceRunner<Base extends QueryRunnerClass>(
  base: Base,
): Base & (new (...given: any[]) => ServiceRunner) {
  return class extends base {
    depth = 0;
    users = 1;
    running = 0;
    isOwned = false;
    #byHand: Transaction | undefined;
    #idle: NodeJS.Timeout | undefined;

    get service(): RunnerContext {
      return this.dataSource as unknown as RunnerContext;
    }

    override query(sql: string, ...given: any[]): Promise<any> {
      if (!isTraced()) return this.#send(sql, given);
      return inSpan(databaseSpan(engineOf(this.dataSource), describe(sql)), () => this.#send(sql, given));
    }

    async #send(sql: string, given: any[]): Promise<any> {
      this.running++;
      try {
        const turn = this.beginStatement(sql);
        if (turn) await turn;
        return await super.query(sql, ...given);
      } catch (error) {
        throw translateDriverError(error);
      } finally {
        this.running--;
        // A timer that was cleared would begin anew.
        if (!this.isReleased) this.#idle?.refresh();
        this.endStatement();
      }
    }

    beginStatement(_sql: string): Promise<void> | undefined {
      return undefined;
    }

    endStatement(): void {}

    override async startTransaction(isolation?: IsolationLevel): Promise<void> {
      if (this.depth === 0 && !this.isOwned) {
        // Ahead of the first `await`: only so is the caller's function part of it.
        this.#byHand = this.service.transactions.enter(this);
        this.watch();
      }
      try {
        await super.startTransaction(isolation);
        this.depth++;
      } catch (error) {
        this.#endByHand();
        throw error;
      }
      if (this.#byHand && engineOf(this.dataSource) === 'postgres') {
        this.#byHand.client = (await this.connect()) as PoolClient;
      }
    }

    override async commitTransaction(): Promise<void> {
      const transaction = this.depth === 1 ? this.#byHand : undefined;
      if (transaction) await runAll(transaction.beforeCommit);
      await super.commitTransaction();
      this.depth--;
      if (!transaction) return;
      this.#endByHand();
      for (const action of transaction.afterCommit) action();
    }

    override async rollbackTransaction(): Promise<void> {
      try {
        await super.rollbackTransaction();
      } finally {
        if (this.depth > 0) this.depth--;
        if (this.depth === 0) this.#endByHand();
      }
    }

    /** Does nothing while others inside its transaction use it, or `Transactions` does. */
    override async release(): Promise<void> {
      if (this.users > 0) this.users--;
      if (this.users === 0 && !this.isOwned) await this.end();
    }

    async end(): Promise<void> {
      await this.rollBackAll();
      this.#endByHand();
      await super.release();
      Object.assign(this, { isReleased: true });
      clearTimeout(this.#idle);
    }

    async rollBackAll(): Promise<void> {
      while (this.depth > 0 && !this.isReleased) await this.rollbackTransaction().catch(() => undefined);
    }

    watch(): void {
      if (this.#idle || this.isOwned || this.isReleased) return;
      const taken = new Error('It was taken here.');
      this.#idle = setTimeout(() => {
        if (this.running > 0) this.#idle?.refresh();
        else if (!this.isReleased) void this.#abandon(taken);
      }, this.service.idleRunnerMs).unref();
    }

    async #abandon(taken: Error): Promise<void> {
      new Logger('QueryRunner').error(
        `A query runner was neither used nor released for ${this.service.idleRunnerMs / 1_000} s: what it had not committed is rolled back. Release it in a finally block, or use dataSource.transaction().`,
        taken.stack,
      );
      await this.end().catch(() => undefined);
    }

    #endByHand(): void {
      if (!this.#byHand) return;
      this.#byHand.hasEnded = true;
      this.#byHand = undefined;
    }
  };
}

/** A statement as traces show it. */
function describe(text: string) {
  const [, operation = ''] = /^\s*(\w+)/.exec(text) ?? [];
  const [, table] = /\b(?:FROM|INTO|UPDATE)\s+"(\w+)"/.exec(text) ?? [];
  return { operation: operation.toUpperCase(), table, text };
}

/** A query runner on PostgreSQL. */
export class ServicePostgresRunner extends serviceRunner(PostgresQueryRunner) {
  override async end(): Promise<void> {
    const client = this.databaseConnection as (PoolClient & TransactionStatus) | undefined;
    await this.rollBackAll();
    // Begun by SQL alone. The next user of the connection would be inside it.
    if (client && !this.isReleased && client.getTransactionStatus() !== 'I') {
      await client.query('ROLLBACK').catch(() => undefined);
    }
    await super.end();
  }

  override connect(): Promise<any> {
    this.watch();
    return super.connect();
  }
}

/**
 * A query runner on SQLite, where all share one connection: it has the connection to itself while a statement runs or a
 * transaction is open, so no statement slips into the transaction of another.
 */
export class ServiceSqliteRunner extends serviceRunner(BetterSqlite3QueryRunner) {
  private isHolding = false;
  private turn: Promise<void> | undefined;

  private get sqlite(): SqliteDatabase.Database {
    return this.driver.databaseConnection as SqliteDatabase.Database;
  }

  override beginStatement(sql: string): Promise<void> | undefined {
    if (this.isHolding) return this.turn;
    if (!/^\s*SELECT\b/i.test(sql)) assertFileInPlace(this.sqlite);
    this.isHolding = true;
    this.turn = this.service.connectionLock.acquire();
    return this.turn;
  }

  override endStatement(): void {
    this.giveBack();
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
    // what is written from then on would be acknowledged and never committed.
    if (this.isTransactionActive && this.isHolding && !this.sqlite.inTransaction) this.sqlite.exec('BEGIN');
    try {
      await super.rollbackTransaction();
    } finally {
      this.giveBack();
    }
  }

  override async end(): Promise<void> {
    await super.end();
    this.isTransactionActive = false;
    if (this.isHolding && this.running === 0 && this.sqlite.inTransaction) this.sqlite.exec('ROLLBACK');
    this.giveBack();
  }

  private giveBack(): void {
    if (!this.isHolding || this.running > 0 || this.isTransactionActive || this.sqlite.inTransaction) return;
    this.isHolding = false;
    this.turn = undefined;
    this.service.connectionLock.release();
  }
}
