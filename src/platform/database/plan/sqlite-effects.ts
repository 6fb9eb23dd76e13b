import type { Effect } from './effect';

type Send = (sql: string) => Promise<unknown>;

/** The columns of each table, and whether a row needs a value for it. */
export async function sqliteTables(send: Send): Promise<Map<string, ReadonlyMap<string, boolean>>> {
  const rows = (await send(`
    SELECT part.name AS "table", info.name AS "column", info."notnull" AND info.dflt_value IS NULL AS required
    FROM sqlite_master AS part JOIN pragma_table_info(part.name) AS info WHERE part.type = 'table'`)) as {
    table: string;
    column: string;
    required: bigint;
  }[];
  const tables = new Map<string, Map<string, boolean>>();
  for (const { table, column, required } of rows) {
    tables.set(table, (tables.get(table) ?? new Map<string, boolean>()).set(column, Number(required) === 1));
  }
  return tables;
}

/** Statements that take long on a large table; all others of SQLite take a moment. */
const LONG: readonly (readonly [RegExp, (table: string, match: RegExpExecArray) => Effect])[] = [
  // As TypeORM writes it: the rows of a table that it makes anew.
  [
    /^\s*INSERT\s+INTO\s+"temporary_\w+".*\sFROM\s+"?(\w+)"?/is,
    (table) => ({ kind: 'table-rewritten', table }),
  ],
  [
    /^\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+(IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?\s+ON\s+"?(\w+)"?/i,
    (table, [definition, optional, name = '']) => ({
      kind: 'index-built',
      table,
      name,
      definition,
      isOptional: optional !== undefined,
    }),
  ],
  [/^\s*(UPDATE)\s+"?(\w+)"?/i, (table, [, verb = '']) => ({ kind: 'rows-changed', table, verb })],
  [/^\s*(DELETE)\s+FROM\s+"?(\w+)"?/i, (table, [, verb = '']) => ({ kind: 'rows-changed', table, verb })],
];

/** Returns the effects of a statement on a table that was there before. */
export function sqliteEffects(sql: string, tables: ReadonlyMap<string, unknown>): Effect[] {
  for (const [pattern, effectOf] of LONG) {
    const match = pattern.exec(sql);
    const table = match?.at(-1);
    if (match && table !== undefined && tables.has(table)) return [effectOf(table, match)];
  }
  return [];
}
