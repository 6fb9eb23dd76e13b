import { Logger } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';

import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel';
import { currentTimeline } from '../../tracing/request-context';
import { inSpan, isTraced } from '../../tracing/span';
import { engineOf } from '../column-types';
import { databaseSpan } from './database-span';
import { translateDriverError } from './driver-errors';
import type { Mutex } from './mutex';
import {
  runAll,
  runCommitted,
  type Transaction,
  type TransactionRunner,
  type Transactions,
} from './transactions';

/** State that the query runners of a data source share. */
export interface RunnerContext {
  readonly transactions: Transactions;
  /** Lock held by a caller that has the one connection of SQLite to itself. */
  readonly connectionLock: Mutex;
  /** Time without a statement after which a query runner that was not released is released, in milliseconds. */
  readonly idleRunnerMs: number;
  /** Age of a transaction on SQLite from which on a warning is logged, in milliseconds. */
  readonly longHoldMs: number;
}

// TypeScript wants `any` of the constructor that a mixin extends, and TypeORM returns it from queries.
/* oxlint-disable typescript/no-explicit-any, typescript/no-unsafe-argument */
type QueryRunnerClass = new (...given: any[]) => QueryRunner;

/** Members that {@link serviceRunner} adds to a query runner of TypeORM's. */
export interface ServiceRunner extends TransactionRunner {
  readonly service: RunnerContext;
  /** Callers that have been given this runner: those inside its transaction get the same one. */
  users: number;
  /** Statements under way. */
  readonly running: number;
  /** @returns a promise that resolves when it is the statement's turn; undefined if that is now */
  beginStatement(sql: string): Promise<void> | undefined;
  endStatement(): void;
  rollBackAll(): Promise<void>;
  /** Releases the runner when nothing is asked of it for long: a forgotten one would keep its connection for ever. */
  watch(): void;
  /** Remembers who took it, as a message about a forgotten one tells. */
  noteTaker(): void;
}

/** TypeORM's query runner of an engine, whose work is part of the service's transactions. */
export function serviceRunner<Base extends QueryRunnerClass>(
  base: Base,
): Base & (new (...given: any[]) => ServiceRunner) {
  return class extends base {
    transaction: Transaction | undefined;
    users = 1;
    running = 0;
    #manager: EntityManager | undefined;
    #idle: NodeJS.Timeout | undefined;
    #taken: Error | undefined;

    /** Made on first use: reads of repositories need no manager. */
    override get manager(): EntityManager {
      return (this.#manager ??= this.dataSource.createEntityManager(this));
    }

    override set manager(manager: EntityManager) {
      this.#manager = manager;
    }

    get service(): RunnerContext {
      return this.dataSource as unknown as RunnerContext;
    }

    get depth(): number {
      return this.transaction?.depth ?? 0;
    }

    /** Whether `Transactions` began its transaction, and ends it. */
    get #isOwned(): boolean {
      return this.transaction?.isByHand === false;
    }

    /** Begins the transaction that has waited for its first statement. @returns undefined if no transaction waits */
    #open(): Promise<void> | undefined {
      return this.transaction && this.service.transactions.open(this.transaction);
    }

    override connect(): Promise<any> {
      const opening = this.#open();
      return opening ? opening.then(() => super.connect()) : super.connect();
    }

    override query(sql: string, ...given: any[]): Promise<any> {
      const opening = this.#open();
      return opening ? opening.then(() => this.#observe(sql, given)) : this.#observe(sql, given);
    }

    #observe(sql: string, given: any[]): Promise<any> {
      if (!isTraced()) return this.#send(sql, given);
      return inSpan(databaseSpan(engineOf(this.dataSource), describe(sql)), () => this.#send(sql, given));
    }

    async #send(sql: string, given: any[]): Promise<any> {
      const timeline = currentTimeline();
      const began = timeline ? performance.now() : 0;
      let hasBegun = false;
      try {
        const turn = this.beginStatement(sql);
        this.running++;
        hasBegun = true;
        if (turn) await turn;
        const result: unknown = await super.query(sql, ...given);
        timeline?.addStatement(sql, began, rowsOf(result));
        return result;
      } catch (error) {
        timeline?.addStatement(sql, began, undefined);
        throw translateDriverError(error);
      } finally {
        if (hasBegun) {
          this.running--;
          this.touch();
          this.endStatement();
        }
      }
    }

    beginStatement(_sql: string): Promise<void> | undefined {
      return undefined;
    }

    endStatement(): void {}

    override async startTransaction(isolation?: IsolationLevel): Promise<void> {
      const opening = this.#open();
      if (opening) await opening;
      if (!this.transaction) {
        // Ahead of the first `await`: only so is the caller's function part of it.
        this.transaction = this.service.transactions.enter(this, isolation);
        this.noteTaker();
        this.watch();
      }
      const { transaction } = this;
      transaction.assertIsolation(isolation);
      try {
        await super.startTransaction(isolation);
      } catch (error) {
        this.#forget();
        throw error;
      }
      if (engineOf(this.dataSource) === 'postgres')
        transaction.client ??= (await this.connect()) as PoolClient;
      transaction.begin();
    }

    override async commitTransaction(): Promise<void> {
      const { transaction } = this;
      const isWhole = transaction?.isByHand && transaction.depth === 1;
      if (isWhole) await runAll(transaction.beforeCommit);
      await super.commitTransaction();
      transaction?.commit();
      if (!isWhole) return;
      this.#forget();
      runCommitted(transaction.afterCommit);
    }

    override async rollbackTransaction(): Promise<void> {
      try {
        await super.rollbackTransaction();
      } finally {
        this.transaction?.rollBack();
        this.#forget();
      }
    }

    /** Commits the open transaction, as TypeORM does, but only one of the caller's own. */
    override async [Symbol.asyncDispose](): Promise<void> {
      return this.users > 1 || this.#isOwned ? this.release() : super[Symbol.asyncDispose]();
    }

    /** Does nothing while others inside its transaction use it, or `Transactions` does. */
    override release(): Promise<void> {
      if (this.users > 0) this.users--;
      return this.users === 0 && !this.#isOwned ? this.end() : Promise.resolve();
    }

    end(): Promise<void> {
      return this.transaction ? this.#endTransaction() : this.#giveBack();
    }

    async #endTransaction(): Promise<void> {
      if (this.depth > 0) await this.rollBackAll();
      // On a lost connection nothing can be rolled back.
      if (this.transaction) this.transaction.hasEnded = true;
      await this.#giveBack();
    }

    #giveBack(): Promise<void> {
      const released = super.release();
      (this as { isReleased: boolean }).isReleased = true;
      if (this.#idle) clearTimeout(this.#idle);
      return released;
    }

    async rollBackAll(): Promise<void> {
      while (this.depth > 0 && !this.isReleased) await this.rollbackTransaction().catch(() => undefined);
    }

    watch(): void {
      if (this.#idle || this.#isOwned || this.isReleased) return;
      this.#idle = setTimeout(() => {
        if (this.running > 0) this.#idle?.refresh();
        else if (!this.isReleased) void this.#abandon();
      }, this.service.idleRunnerMs).unref();
    }

    noteTaker(): void {
      this.#taken ??= new Error('It was taken here.');
    }

    touch(): void {
      // A timer that was cleared would begin anew.
      if (!this.isReleased) this.#idle?.refresh();
    }

    async #abandon(): Promise<void> {
      new Logger('QueryRunner').error(
        `A query runner was neither used nor released for ${this.service.idleRunnerMs / 1_000} s: its open transaction is rolled back. Release it in a finally block, or use dataSource.transaction().`,
        this.#taken?.stack,
      );
      this.transaction?.abandon();
      await this.end().catch(() => undefined);
    }

    /** Lets the next transaction begin when that which a feature began has ended. */
    #forget(): void {
      if (this.transaction?.isByHand && this.depth === 0) this.transaction = undefined;
    }
  };
}

/** The number of rows that TypeORM has made a result of. */
function rowsOf(result: unknown): number {
  const rows = Array.isArray(result) ? result : (result as { records?: unknown[] } | undefined)?.records;
  return rows?.length ?? 0;
}

/** A statement as traces show it. */
export function describe(text: string) {
  const [, operation = ''] = /^\s*(\w+)/.exec(text) ?? [];
  const [, table] = /\b(?:FROM|INTO|UPDATE)\s+"(\w+)"/.exec(text) ?? [];
  return { operation: operation.toUpperCase(), table, text };
}
