import type { QueryRunner } from 'typeorm';

/**
 * Rolls back the transaction of a runner, if it is still open. On a lost connection that fails too; the error that led
 * here is the one worth reporting.
 */
export async function rollback(runner: QueryRunner): Promise<void> {
  if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
}
