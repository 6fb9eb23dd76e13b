import type { DataSource, QueryRunner } from 'typeorm';
import { isSchemaBehind } from '../driver/driver-errors';
import { REQUIRING } from '../driver/requirements';
import { migrationName } from '../driver/schema-parts';

/** Methods that look only at the catalogs, which a migration may use before its first statement. */
const READS: ReadonlySet<PropertyKey> = new Set(['hasTable', 'hasColumn', 'getTable']);

/** A migration has come to its first statement. */
class FirstStatement extends Error {}

/**
 * Finds the reasons for which pending migrations would be refused, and changes nothing: each is begun with a runner that carries out
 * what it requires of the rows (`requireUnique` and its like), and stopped at its first statement.
 *
 * So this is about the rows as they are now. Demands of a migration on tables and columns that earlier ones are to make are
 * known only when those have been applied.
 *
 * @returns a sentence or two by the name of the migration
 */
export async function findMigrationProblems(
  dataSource: DataSource,
  pending: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>();
  const runner = dataSource.createQueryRunner();
  try {
    for (const migration of dataSource.migrations) {
      const name = migrationName(migration);
      if (!pending.includes(name)) continue;
      try {
        await migration.up(requiringOnly(runner));
      } catch (error) {
        if (error instanceof FirstStatement || isSchemaBehind(error)) continue;
        problems.set(name, `${name} cannot be applied as the rows are now: ${(error as Error).message}`);
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
