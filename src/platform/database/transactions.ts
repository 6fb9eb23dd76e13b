import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel';
import { inSpan } from '../tracing/span';
import type { Engine } from './column-types';
import { databaseSpan } from './database-span';
import { translateDriverError } from './driver-errors';
import { inTransaction, type NestingRunner } from './in-transaction';
import { mayRetry } from './retry-conflicts';

/** The transaction that work in progress is part of. */
export interface Transaction {
  readonly runner: NestingRunner;
  /** The connection to PostgreSQL, once it is there. */
  client: PoolClient | undefined;
  /** Actions to run just before the commit. */
  readonly beforeCommit: (() => Promise<void>)[];
  /** Actions to run once it is committed. */
  readonly afterCommit: (() => void)[];
  /** Whether a feature began it on a query runner of its own: work that outlives it is not part of it. */
  readonly isByHand: boolean;
  hasEnded: boolean;
}

/** A query runner that {@link Transactions} ends. */
export interface OwnedRunner extends NestingRunner {
  /** Gives the connection back; `release` does nothing, because whatever asks for a runner within gets this one. */
  end(): Promise<void>;
}

/** The transactions of a data source. Each travels by AsyncLocalStorage: whatever runs inside one is part of it. */
export class Transactions {
  private readonly storage = new AsyncLocalStorage<Transaction>();
  private readonly span;

  constructor(
    private readonly engine: Engine,
    private readonly newRunner: () => OwnedRunner,
  ) {
    this.span = databaseSpan(engine, {});
  }

  /** The transaction in progress, if any. @throws Error in work that was not awaited there */
  current(): Transaction | undefined {
    const transaction = this.storage.getStore();
    if (!transaction?.hasEnded) return transaction;
    if (transaction.isByHand) return undefined;
    // Another caller has its connection by now, and may have begun a transaction on it.
    throw new Error(
      'The transaction of this work has ended: what is begun inside one must be awaited there.',
    );
  }

  /** Makes the rest of the asynchronous function that calls it part of a transaction begun by hand. */
  enter(runner: NestingRunner): Transaction {
    const transaction = transactionOf(runner, true);
    this.storage.enterWith(transaction);
    return transaction;
  }

  /** Runs the work in a new transaction. Work that loses against other transactions is run again, a few times at most. */
  run<T>(work: (manager: EntityManager) => Promise<T>, isolation?: IsolationLevel): Promise<T> {
    return inSpan(this.span, async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.runOnce(work, isolation);
        } catch (error) {
          if (!(await mayRetry(error, attempt))) throw translateDriverError(error);
        }
      }
    });
  }

  private async runOnce<T>(
    work: (manager: EntityManager) => Promise<T>,
    isolation: IsolationLevel | undefined,
  ): Promise<T> {
    const runner = this.newRunner();
    const transaction = transactionOf(runner, false);
    let result: T;
    try {
      const connection: unknown = await runner.connect();
      if (this.engine === 'postgres') transaction.client = connection as PoolClient;
      result = await inTransaction(runner, () => this.within(transaction, work), isolation);
    } finally {
      await runner.end();
    }
    for (const action of transaction.afterCommit) action();
    return result;
  }

  private async within<T>(
    transaction: Transaction,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.storage.run(transaction, async () => {
        const result = await work(transaction.runner.manager);
        await runAll(transaction.beforeCommit);
        return result;
      });
    } finally {
      transaction.hasEnded = true;
    }
  }

  /**
   * Runs a part of the transaction in progress that may fail: when it throws, what it did is undone, and the transaction goes on.
   * Outside one it is a transaction of its own.
   */
  async attempt<T>(work: (manager: EntityManager) => Promise<T>, isolation?: IsolationLevel): Promise<T> {
    const transaction = this.current();
    if (!transaction) return this.run(work, isolation);
    const { runner, beforeCommit, afterCommit } = transaction;
    const [before, after] = [beforeCommit.length, afterCommit.length];
    try {
      return await inTransaction(runner, () => work(runner.manager));
    } catch (error) {
      beforeCommit.length = before;
      afterCommit.length = after;
      throw translateDriverError(error);
    }
  }
}

function transactionOf(runner: NestingRunner, isByHand: boolean): Transaction {
  return { runner, client: undefined, beforeCommit: [], afterCommit: [], isByHand, hasEnded: false };
}

/** Runs actions in their order; one may bring up further ones. */
export async function runAll(actions: readonly (() => Promise<void>)[]): Promise<void> {
  for (const action of actions) await action();
}
