import { loadSettings } from '../../../src/platform/config/load-settings';
import { openDatabase } from '../../../src/platform/database/driver/open';
import type { TestDatabase } from '../../support/databases/databases';

/** Runs SQL on a test's database, past the CLI. */
export async function execute<Row>(database: TestDatabase, sql: string): Promise<Row[]> {
  const dataSource = await openDatabase(loadSettings({ DATABASE_URL: database.url }));
  try {
    return await dataSource.query<Row[]>(sql);
  } finally {
    await dataSource.destroy();
  }
}
