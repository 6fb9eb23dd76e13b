import type { DataSource, QueryRunner } from 'typeorm';
import { isSchemaBehind } from '../driver/driver-errors';
import { LargeTableError, REQUIRING } from '../driver/requirements';
import { migrationName } from '../driver/schema-parts';

/** Methods that look only at the catalogs, which a migration may use before its first statement. */
const READS: ReadonlySet<PropertyKey> = new Set(['hasTable', 'hasColumn', 'getTable']);

const FIX_ROWS = 'Fix the rows by SQL, or while the previous version runs, then migrate again.';
const MAKE_INDEX = 'Make the index by that statement while the service runs, then migrate again.';

/** Reason for which a migration would be refused, and what to do. */
export interface MigrationProblem {
  readonly problem: string;
  readonly advice: string;
}

/** A migration has come to its first statement. */
class FirstStatement extends Error {}

/**
 * Finds the reasons for which pending migrations would be refused, and changes nothing: each is begun with a runner that carries out
 * what it requires of the rows (`requireUnique` and its like), and stopped at its first statement.
 *
 * So this is about the rows as they are now. Demands of a migration on tables and columns that earlier ones are to make are
 * known only when those have been applied.
 *
 * @returns by the name of the migration
 */
export async function findMigrationProblems(
  dataSource: DataSource,
  pending: readonly string[],
): Promise<ReadonlyMap<string, MigrationProblem>> {
  const problems = new Map<string, MigrationProblem>();
  const runner = dataSource.createQueryRunner();
  try {
    for (const migration of dataSource.migrations) {
      const name = migrationName(migration);
      if (!pending.includes(name)) continue;
      try {
        await migration.up(requiringOnly(runner));
      } catch (error) {
        if (error instanceof FirstStatement || isSchemaBehind(error)) continue;
        const problem = `${name} cannot be applied as the rows are now: ${(error as Error).message}`;
        problems.set(name, { problem, advice: error instanceof LargeTableError ? MAKE_INDEX : FIX_ROWS });
      }
    }
  } finally {
    await runner.release();
  }
  return problems;
}

function requiringOnly(runner: QueryRunner): QueryRunner {
  return new Proxy(runner, {
    get(target, member) {
      if (member === REQUIRING) return target;
      if (member === 'dataSource') return target.dataSource;
      if (!READS.has(member)) throw new FirstStatement();
      const method = Reflect.get(target, member) as () => unknown;
      return method.bind(target);
    },
  });
}
