import type { QueryRunner } from 'typeorm';

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
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}
