import type { DataSource } from 'typeorm';
import { engineOf, type Engine } from '../column-types';

/** Rows from which on a table is large: to read all of them, or to build an index, takes about a second. */
export const LARGE_TABLE_ROWS = 1_000_000;

/** Rows that one statement of a migration may change. */
export const MOST_CHANGED_ROWS = 10_000;

/** Versions that serve on a database, and the columns that they use. */
export interface Serving {
  /** Versions, each once; empty when nothing serves. */
  readonly versions: readonly string[];
  /** The columns that they use, as `table.column`; undefined when one of them does not tell. */
  readonly columns: ReadonlySet<string> | undefined;
}

/** A table as it is, by estimate. */
export interface TableSize {
  readonly rows: number;
  readonly bytes: number;
}

/** Facts about the database before the migrations. */
export interface Facts {
  readonly engine: Engine;
  readonly sizes: ReadonlyMap<string, TableSize>;
  readonly indexes: ReadonlySet<string>;
  readonly serving: Serving;
  /** True if operators are taken to have made by hand what the migrations then leave alone. */
  readonly isPrepared: boolean;
}

/** Finds out how large the tables are, from statistics and without reading them; changes nothing. */
export async function readFacts(dataSource: DataSource, serving: Serving): Promise<Facts> {
  const engine = engineOf(dataSource);
  return {
    engine,
    sizes: engine === 'postgres' ? await postgresSizes(dataSource) : await sqliteSizes(dataSource),
    indexes: await indexesOf(dataSource, engine),
    serving,
    isPrepared: false,
  };
}

/** As PostgreSQL's planner does: the density of rows at the last ANALYZE, times the pages of now. */
const POSTGRES_SIZES = `
  SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes,
    CASE WHEN relpages > 0 AND reltuples >= 0 THEN reltuples::float8 / relpages ELSE 60 END
      * pg_relation_size(oid) / current_setting('block_size')::float8 AS rows
  FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`;

async function postgresSizes(dataSource: DataSource): Promise<Map<string, TableSize>> {
  const found = await dataSource.query<{ name: string; bytes: number; rows: number }[]>(POSTGRES_SIZES);
  return new Map(found.map(({ name, bytes, rows }) => [name, { bytes, rows: Math.round(rows) }]));
}

const SQLITE_TABLES = `
  SELECT name, wr AS "hasNoRowid" FROM pragma_table_list
  WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`;
const SQLITE_BYTES = 'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size';

/** SQLite keeps no statistics: the newest id stands for the number of rows, and a table has its share of the file. */
async function sqliteSizes(dataSource: DataSource): Promise<Map<string, TableSize>> {
  const tables = await dataSource.query<{ name: string; hasNoRowid: bigint }[]>(SQLITE_TABLES);
  const rows = new Map<string, number>();
  for (const { name, hasNoRowid } of tables) {
    const number = hasNoRowid ? 'count(*)' : 'coalesce(max(rowid), 0)';
    const [row] = await dataSource.query<{ rows: bigint }[]>(`SELECT ${number} AS rows FROM "${name}"`);
    rows.set(name, Number(row?.rows ?? 0));
  }
  const [file] = await dataSource.query<{ bytes: bigint }[]>(SQLITE_BYTES);
  const all = Math.max(
    1,
    [...rows.values()].reduce((sum, each) => sum + each, 0),
  );
  const bytes = Number(file?.bytes ?? 0);
  return new Map(
    [...rows].map(([name, count]) => [name, { rows: count, bytes: Math.round((bytes * count) / all) }]),
  );
}

const INDEXES: Readonly<Record<Engine, string>> = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'index'`,
  postgres: `
    SELECT relname AS name FROM pg_class JOIN pg_index ON indexrelid = oid AND indisvalid
    WHERE relnamespace = current_schema()::regnamespace`,
};

async function indexesOf(dataSource: DataSource, engine: Engine): Promise<Set<string>> {
  const found = await dataSource.query<{ name: string }[]>(INDEXES[engine]);
  return new Set(found.map(({ name }) => name));
}
