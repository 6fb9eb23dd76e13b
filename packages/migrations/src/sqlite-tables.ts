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
