import type { DataSource, QueryRunner } from 'typeorm';

/** Times in the names of the migrations of before the first release. */
const PAST_TIMES = { first: 1_763_700_000_000, last: 1_763_700_043_000 };

/** Columns by which the tables that every version of before the first release has had are known. */
const PAST_TABLES = { api_keys: 'token_hash', pets: 'category_id' };

/** The migration with which the schema of the first release begins. */
const FIRST = 'CreateSchema1763700044000';

/** Programs that a database is of, instead of this service of 1.2.0 or later. */
export type Strangeness = 'older' | { readonly foreignTable: string };

/**
 * Finds out whether the service cannot use a database, which it must not change: one that was made before the first release, or
 * one in which another program has a table of a name that the service needs. Migrations of another TypeORM program may be beside
 * its own.
 */
export async function strangenessOf(dataSource: DataSource): Promise<Strangeness | undefined> {
  const runner = dataSource.createQueryRunner();
  try {
    // Before the migrations: another process that migrates at this moment adds both at once.
    const tables: string[] = [];
    for (const table of Object.keys(PAST_TABLES)) if (await runner.hasTable(table)) tables.push(table);
    if (!(await hasOwnMigrations(runner))) return { foreignTable: 'migrations' };
    const applied = await appliedMigrations(runner);
    if (applied.includes(FIRST)) return undefined;
    if (applied.some(isPast)) return 'older';
    for (const [table, column] of Object.entries(PAST_TABLES)) {
      if (!tables.includes(table)) continue;
      return (await runner.hasColumn(table, column)) ? 'older' : { foreignTable: table };
    }
    return undefined;
  } finally {
    await runner.release();
  }
}

function isPast(name: string): boolean {
  const time = Number(/\d{13}$/.exec(name)?.[0]);
  return time >= PAST_TIMES.first && time <= PAST_TIMES.last;
}

/** True unless the table of migrations is of a program that does not write it as TypeORM does. */
async function hasOwnMigrations(runner: QueryRunner): Promise<boolean> {
  return !(await runner.hasTable('migrations')) || runner.hasColumn('migrations', 'name');
}

/** Returns the names of the migrations of a database, oldest first. */
export async function appliedMigrations(runner: QueryRunner): Promise<string[]> {
  if (!(await runner.hasTable('migrations'))) return [];
  const rows = (await runner.query('SELECT "name" FROM "migrations" ORDER BY "id"')) as { name: string }[];
  return rows.map(({ name }) => name);
}
