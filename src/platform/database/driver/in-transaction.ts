import type { QueryRunner } from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel';

/** A query runner that tells the number of transactions open on it: one, and its savepoints. */
export interface NestingRunner extends QueryRunner {
  readonly depth: number;
}

/**
 * Runs the work in one transaction of a runner, or in a savepoint of the one that is open, and rolls back when it throws. On a
 * lost connection the rollback fails too; the error that led there is the one worth reporting.
 */
export async function inTransaction<T>(
  runner: QueryRunner,
  work: () => Promise<T>,
  isolation?: IsolationLevel,
): Promise<T> {
  const nesting = runner as NestingRunner;
  const { depth } = nesting;
  await runner.startTransaction(isolation);
  try {
    const result = await work();
    assertAllEnded(nesting, depth + 1);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    while (nesting.depth > depth) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/**
 * Refuses a commit that would end a savepoint, so that nothing would be stored.
 *
 * @param depth of the transaction to be committed
 */
export function assertAllEnded(runner: NestingRunner, depth: number): void {
  if (runner.depth > depth) throw new Error('A nested transaction was not ended.');
}
