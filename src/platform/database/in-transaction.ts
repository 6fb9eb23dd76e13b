import type { QueryRunner } from 'typeorm';
import { engineOf } from './column-types';
import { sqliteOf } from './statement';

/**
 * Runs the work in one transaction of a runner, and rolls back when it throws. On a lost connection the rollback fails
 * too; the error that led there is the one worth reporting.
 */
export async function inTransaction<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  await runner.startTransaction();
  try {
    const result = await work();
    await runner.commitTransaction();
    return result;
  } catch (error) {
    if (runner.isTransactionActive) await rollBack(runner);
    throw error;
  }
}

async function rollBack(runner: QueryRunner): Promise<void> {
  if (engineOf(runner.dataSource) === 'sqlite') {
    const sqlite = sqliteOf(runner.dataSource);
    // On a full disk and its like SQLite has rolled back by itself, and a ROLLBACK fails for want of a transaction. TypeORM
    // would believe the transaction to go on, begin the next as a savepoint within, and leave that open when it fails:
    // what is written from then on would be acknowledged and never committed.
    if (!sqlite.inTransaction) sqlite.exec('BEGIN');
  }
  await runner.rollbackTransaction().catch(() => undefined);
}
