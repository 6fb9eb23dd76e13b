import type { DataSource, QueryRunner } from 'typeorm';
import { isSchemaBehind } from '../driver/driver-errors';

/** Methods that a migration may use before its first change. */
const READS: ReadonlySet<PropertyKey> = new Set(['hasTable', 'hasColumn', 'getTable']);

/** A migration has come to its first change. */
class FirstChange extends Error {}

/**
 * Finds the reasons for which pending migrations would be refused, and changes nothing: each is begun with a runner that only
 * reads, and stopped at its first change.
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
      const name = migration.name ?? migration.constructor.name;
      if (!pending.includes(name)) continue;
      try {
        await migration.up(readingOnly(runner));
      } catch (error) {
        if (error instanceof FirstChange || isSchemaBehind(error)) continue;
        problems.set(name, `${name} cannot be applied as the rows are now: ${(error as Error).message}`);
      }
    }
  } finally {
    await runner.release();
  }
  return problems;
}

function readingOnly(runner: QueryRunner): QueryRunner {
  return new Proxy(runner, {
    get(target, member) {
      if (member === 'dataSource') return target.dataSource;
      if (member === 'query') return (sql: string, parameters?: unknown[]) => read(target, sql, parameters);
      if (!READS.has(member)) throw new FirstChange();
      const method = Reflect.get(target, member) as () => unknown;
      return method.bind(target);
    },
  });
}

async function read(runner: QueryRunner, sql: string, parameters?: unknown[]): Promise<unknown> {
  if (!/^\s*SELECT\b/i.test(sql)) throw new FirstChange();
  return runner.query(sql, parameters);
}
