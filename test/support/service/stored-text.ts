import { existsSync, readFileSync } from 'node:fs';
import { Database } from '../../../src/platform/database/database';
import type { TestService } from './service';

/** Returns all that a service has stored, as text: on SQLite the bytes of the files, on PostgreSQL the rows of every table. */
export async function storedText({ app, engine, database }: TestService): Promise<string> {
  if (engine === 'sqlite') {
    const file = new URL(database.url).pathname;
    const files = [file, `${file}-wal`].filter((each) => existsSync(each));
    return files.map((each) => readFileSync(each, 'latin1')).join('');
  }
  const { dataSource } = app.get(Database);
  const tables = await dataSource.query<{ name: string }[]>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await dataSource.query<{ row: string }[]>(`SELECT t::text AS row FROM "${name}" t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}
