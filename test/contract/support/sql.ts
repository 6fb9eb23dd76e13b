import SqliteDatabase from 'better-sqlite3';
import { Client } from 'pg';
import type { TestDatabase } from '../../support/databases/databases';

/** Runs one statement on a test database past the service, on a connection of its own. */
export async function runSql(database: TestDatabase, sql: string): Promise<void> {
  if (database.engine === 'sqlite') {
    const connection = new SqliteDatabase(sqliteFile(database));
    connection.exec(sql);
    connection.close();
    return;
  }
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The file of a SQLite test database. */
export function sqliteFile({ url }: TestDatabase): string {
  return url.replace(/^sqlite:/, '');
}
