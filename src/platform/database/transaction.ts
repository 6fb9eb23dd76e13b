import type { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { engineOf } from './column-types';
import { inTransaction } from './in-transaction';

/** The transaction that work in progress is part of. */
export interface Transaction {
  readonly runner: QueryRunner;
  readonly manager: EntityManager;
  readonly client: PoolClient | undefined;
  /** What is to be done in it at last. */
  readonly beforeCommit: (() => Promise<void>)[];
  /** What is to be done once it is committed. */
  readonly afterCommit: (() => void)[];
  hasEnded: boolean;
}

/**
 * Runs work in one new transaction, which travels with whatever the work calls.
 *
 * @param transactions where the work finds it
 * @param afterCommit gathers what is to be done once it is committed
 */
export async function beginTransaction<T>(
  dataSource: DataSource,
  transactions: AsyncLocalStorage<Transaction>,
  work: () => Promise<T>,
  afterCommit: Transaction['afterCommit'],
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    const connection: unknown = await runner.connect();
    const client = engineOf(dataSource) === 'postgres' ? (connection as PoolClient) : undefined;
    const { manager } = runner;
    const transaction = { runner, manager, client, beforeCommit: [], afterCommit, hasEnded: false };
    return await inTransaction(runner, () => within(transaction, transactions, work));
  } finally {
    await runner.release();
  }
}

async function within<T>(
  transaction: Transaction,
  transactions: AsyncLocalStorage<Transaction>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await transactions.run(transaction, async () => {
      const result = await work();
      // An action may bring up further ones.
      for (const action of transaction.beforeCommit) await action();
      return result;
    });
  } finally {
    transaction.hasEnded = true;
  }
}
