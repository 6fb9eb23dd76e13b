import type { DataSource, QueryRunner } from 'typeorm';

/** The migration with which the schema of the first release begins. */
const FIRST = 'CreateSchema1763700044000';

/** Tables that every version has had. */
const TABLES = ['api_keys', 'pets'];

/** Tells whether a database was made before the first release: it has our tables, or migrations, but not the first of these. */
export async function isOlderDatabase(dataSource: DataSource): Promise<boolean> {
  const runner = dataSource.createQueryRunner();
  try {
    // Before the migrations: another process that migrates at this moment adds both at once.
    const hasTables = await hasOneOf(runner, TABLES);
    const applied = await appliedMigrations(runner);
    return !applied.includes(FIRST) && (hasTables || applied.length > 0);
  } finally {
    await runner.release();
  }
}

async function hasOneOf(runner: QueryRunner, tables: readonly string[]): Promise<boolean> {
  for (const table of tables) if (await runner.hasTable(table)) return true;
  return false;
}

/** Returns the names of the migrations of a database, oldest first. */
export async function appliedMigrations(runner: QueryRunner): Promise<string[]> {
  if (!(await runner.hasTable('migrations'))) return [];
  const rows = (await runner.query('SELECT "name" FROM "migrations" ORDER BY "id"')) as { name: string }[];
  return rows.map(({ name }) => name);
}
