import SqliteDatabase from 'better-sqlite3';
import { Client } from 'pg';

/** That a SQLite file passes SQLite's own check. */
export function expectSoundSqlite(file: string): void {
  const sqlite = new SqliteDatabase(file, { readonly: true });
  try {
    expect(sqlite.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  } finally {
    sqlite.close();
  }
}

/** That each table and each index of a PostgreSQL database passes PostgreSQL's own check (contrib/amcheck). */
export async function expectSoundPostgres(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS amcheck');
    const faults = await client.query(`
      SELECT c.relname, fault.msg FROM pg_class c, verify_heapam(c.oid) AS fault
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`);
    expect(faults.rows).toEqual([]);
    // It throws where an index is broken, or lacks a row of its table; and where a unique one has a value twice.
    const indexes = await client.query(`
      SELECT count(bt_index_check(i.indexrelid, true, i.indisunique)::text) AS checked
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
      WHERE c.relnamespace = 'public'::regnamespace AND a.amname = 'btree'`);
    expect(Number((indexes.rows as { checked: string }[])[0]?.checked)).toBeGreaterThan(3);
  } finally {
    await client.end();
  }
}
