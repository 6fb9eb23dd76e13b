import type SqliteDatabase from 'better-sqlite3';
import type { DataSource } from 'typeorm';

/** Collation of PostgreSQL that knows the letters of all languages, whatever the locale of the database. Only a server built without ICU has none. */
const ALL_LETTERS = 'und-x-icu';

/** Gives a connection to SQLite the function of {@link anyCase}: the engine's own knows the letters a to z alone. */
export function defineAnyCase(connection: SqliteDatabase.Database): void {
  connection.function('any_case', { deterministic: true }, (text: unknown) =>
    // First to small letters, because a capital sharp s has no other capital form.
    typeof text === 'string' ? text.toLowerCase().toUpperCase() : text,
  );
}

/** Data sources of servers that have {@link ALL_LETTERS}. */
const knowing = new WeakSet<DataSource>();

/** Asks a PostgreSQL server which letters it knows. */
export async function askForLetters(dataSource: DataSource): Promise<void> {
  const sql = `SELECT 1 FROM pg_collation WHERE collname = $1 AND pg_collation_is_visible(oid)`;
  const found: unknown[] = await dataSource.query(sql, [ALL_LETTERS]);
  if (found.length > 0) knowing.add(dataSource);
}

/** SQL of a text in which letters that differ by case alone are the same, on the database of a data source. */
export function anyCase(dataSource: DataSource, text: string): string {
  if (dataSource.options.type !== 'postgres') return `any_case(${text})`;
  const collation = knowing.has(dataSource) ? ` COLLATE "${ALL_LETTERS}"` : '';
  return `upper(lower(${text}${collation}))`;
}
