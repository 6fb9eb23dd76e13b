import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import { type Engine, engineOf } from './column-types';
import { translateDriverError } from './driver-errors';
import { Mutex } from './mutex';
import { Statement, type StatementValues } from './statement';

interface Transaction {
  readonly manager: EntityManager;
  readonly client: PoolClient | undefined;
}

/**
 * The way to the database for repositories.
 *
 * A transaction travels by AsyncLocalStorage: whatever runs inside one is part of it, and cannot reach the database
 * outside it by mistake. SQLite has one connection, so there a statement from elsewhere waits for an open transaction
 * rather than slipping into it. Every failure leaves as an AppError or as the fault it is.
 */
@Injectable()
export class Database {
  readonly engine: Engine;
  private readonly transactions = new AsyncLocalStorage<Transaction>();
  private readonly sqliteConnection = new Mutex();

  constructor(readonly dataSource: DataSource) {
    this.engine = engineOf(dataSource);
  }

  /**
   * Prepares a statement TypeORM compiles.
   *
   * @param build returns the query builder, with `parameter(name)` in place of values
   * @param tail SQL appended to it (see {@link Statement})
   */
  prepare<Row>(
    build: (manager: EntityManager) => { getQueryAndParameters(): [string, unknown[]] },
    tail?: string,
  ): Statement<Row> {
    return new Statement<Row>(this.dataSource, build(this.dataSource.manager), tail);
  }

  /** Runs a prepared statement, inside the current transaction if there is one. */
  async query<Row>(statement: Statement<Row>, values: StatementValues): Promise<Row[]> {
    const transaction = this.transactions.getStore();
    try {
      if (!transaction && this.sqliteConnection.isHeld) {
        return await this.sqliteConnection.runExclusive(async () => statement.run(values));
      }
      return await statement.run(values, transaction?.client);
    } catch (error) {
      throw translateDriverError(error);
    }
  }

  /** Runs TypeORM calls on one repository, inside the current transaction if there is one. */
  async with<Entity extends ObjectLiteral, T>(
    entity: EntityTarget<Entity>,
    work: (repository: Repository<Entity>) => Promise<T>,
  ): Promise<T> {
    const transaction = this.transactions.getStore();
    try {
      if (transaction) return await work(transaction.manager.getRepository(entity));
      const repository = this.dataSource.getRepository(entity);
      if (this.engine === 'postgres') return await work(repository);
      return await this.sqliteConnection.runExclusive(() => work(repository));
    } catch (error) {
      throw translateDriverError(error);
    }
  }

  /** Runs work on the data source itself, outside any transaction: for questions about the database as such. */
  async exclusively<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
    try {
      if (this.engine === 'postgres') return await work(this.dataSource);
      return await this.sqliteConnection.runExclusive(() => work(this.dataSource));
    } catch (error) {
      throw translateDriverError(error);
    }
  }

  /** Runs the work in one transaction; inside another it joins that one. Rolls back when the work throws. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.transactions.getStore()) return work();
    try {
      if (this.engine === 'postgres') return await this.begin(work);
      return await this.sqliteConnection.runExclusive(() => this.begin(work));
    } catch (error) {
      throw translateDriverError(error);
    }
  }

  private async begin<T>(work: () => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const connection: unknown = await runner.connect();
      const client = this.engine === 'postgres' ? (connection as PoolClient) : undefined;
      await runner.startTransaction();
      try {
        const result = await this.transactions.run({ manager: runner.manager, client }, work);
        await runner.commitTransaction();
        return result;
      } catch (error) {
        if (runner.isTransactionActive) await rollback(runner);
        throw error;
      }
    } finally {
      await runner.release();
    }
  }
}

/** A rollback on a lost connection fails too; the error that led here is the one worth reporting. */
async function rollback(runner: { rollbackTransaction(): Promise<void> }): Promise<void> {
  await runner.rollbackTransaction().catch(() => undefined);
}
