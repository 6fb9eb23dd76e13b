import SqliteDatabase from 'better-sqlite3';
import { Client, escapeLiteral } from 'pg';
import type { DataSource } from 'typeorm';
import { engineOf } from '../../../src/platform/database/column-types';
import { defineAnyCase } from '../../../src/platform/database/driver/any-case';
import { bindable, type BoundValue } from '../../../src/platform/database/statements/row-values';
import { Statement, type StatementValues } from '../../../src/platform/database/statements/statement';

/** A SELECT on tables as it was run, with the values of its parameters. */
export interface Select {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Rows that a SELECT reads and returns. A count returns the rows that it counts. */
export interface RowsRead {
  readonly text: string;
  readonly read: number;
  readonly returned: number;
}

/** How PostgreSQL plans: with the values, or once for all values, as it does from the sixth execution on. */
const PLAN_MODES = ['force_custom_plan', 'force_generic_plan'];

/** Rows that every statement may read besides those that it returns: as many as a search looks at first. */
const SPARE_ROWS = 200;

/** Rows that a statement may read for each that it returns. */
const ROWS_PER_ROW = 3;

/** Tells whether a statement reads no more rows than its result explains. */
export function isFrugal({ read, returned }: RowsRead): boolean {
  return read <= ROWS_PER_ROW * returned + SPARE_ROWS;
}

/** A statement that reads too many rows, as messages show it. */
export function wasteLine({ read, returned, text }: RowsRead): string {
  return `${read} rows read for ${returned}: ${text.replaceAll(/\s+/g, ' ')}`;
}

/** Does work, and lists the SELECTs on tables that the service runs meanwhile. Those that lock rows are left out. */
export async function watchSelects<T>(
  dataSource: DataSource,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly selects: readonly Select[] }> {
  const engine = engineOf(dataSource);
  const selects: Select[] = [];
  const note = (text: string, values: readonly unknown[] = []) => {
    if (/^SELECT [^]* FROM "/.test(text) && !/ FOR (UPDATE|SHARE)\b/.test(text))
      selects.push({ text, values });
  };
  const { logger } = dataSource;
  const logQuery = logger.logQuery.bind(logger);
  logger.logQuery = (text, values, runner) => {
    note(text, Array.isArray(values) ? values : []);
    logQuery(text, values, runner);
  };
  const restore = onStatements((statement, values) => {
    const names = Reflect.get(statement, 'names') as readonly string[];
    note(
      statement.text,
      names.map((name) => bindable(values[name], engine)),
    );
  });
  try {
    return { result: await work(), selects };
  } finally {
    restore();
    logger.logQuery = logQuery;
  }
}

type Run = (this: Statement<unknown>, ...given: unknown[]) => unknown;

/** Calls a function for each statement that is run. Returns a function that ends that. */
function onStatements(note: (statement: Statement<unknown>, values: StatementValues) => void): () => void {
  const [run, scan] = ['run', 'scan'].map((name) => Reflect.get(Statement.prototype, name) as Run) as [
    Run,
    Run,
  ];
  const noted: Record<string, Run> = {
    run(values, ...given) {
      note(this, values as StatementValues);
      return run.call(this, values, ...given);
    },
    scan(scans, values) {
      note(this, values as StatementValues);
      return scan.call(this, scans, values);
    },
  };
  Object.assign(Statement.prototype, noted);
  return () => void Object.assign(Statement.prototype, { run, scan });
}

/** Runs SELECTs again, and counts the rows that they read: on PostgreSQL the most that any of its ways to plan reads. */
export async function countRowsRead(url: string, selects: readonly Select[]): Promise<RowsRead[]> {
  if (url.startsWith('sqlite:')) {
    const file = new SqliteDatabase(url.replace(/^sqlite:/, ''), { readonly: true });
    defineAnyCase(file);
    try {
      return selects.flatMap((select) => inSqlite(file, select) ?? []);
    } finally {
      file.close();
    }
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const counted: RowsRead[] = [];
    for (const select of selects) counted.push(await inPostgres(client, select));
    return counted;
  } finally {
    await client.end();
  }
}

/** Counts by a function that SQLite calls for each row; undefined if that would change how it is read. */
function inSqlite(file: SqliteDatabase.Database, { text, values }: Select): RowsRead | undefined {
  let read = 0;
  file.function('row_read', { deterministic: false, varargs: true }, () => {
    read++;
    return 1;
  });
  const counting = text.replaceAll(
    /FROM "(?<table>\w+)"(?: (?:AS )?(?:"(?<quoted>\w+)"|(?<plain>[a-z]\w*)))?(?<where> WHERE )?/g,
    (source: string, ...given: unknown[]) => {
      const { table, quoted, plain, where } = given.at(-1) as Record<string, string | undefined>;
      const counted = `row_read("${quoted ?? plain ?? table}".rowid)`;
      return where ? `${source}${counted} AND ` : `${source} WHERE ${counted}`;
    },
  );
  const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  const planOf = (sql: string) =>
    file
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...bound)
      .map(({ detail }) => detail)
      .join();
  let statement;
  try {
    statement = file.prepare<unknown[], Record<string, unknown>>(counting);
  } catch {
    return undefined;
  }
  if (planOf(counting) !== planOf(text)) return undefined;
  const rows = statement.all(...bound);
  const isCount = text.startsWith('SELECT COUNT(');
  const returned = isCount ? Number(Object.values(rows[0] ?? {})[0]) : rows.length;
  return { text, read, returned };
}

/** A node of a plan, as EXPLAIN (ANALYZE, FORMAT JSON) shows it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

async function inPostgres(client: Client, { text, values }: Select): Promise<RowsRead> {
  const literals = values.map((value) =>
    value === null || value === undefined
      ? 'NULL'
      : escapeLiteral(value instanceof Date ? value.toISOString() : String(value as BoundValue)),
  );
  let most: RowsRead | undefined;
  await client.query(`PREPARE measured AS ${text}`);
  for (const mode of PLAN_MODES) {
    await client.query(`SET plan_cache_mode = ${mode}`);
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE measured${literals.length > 0 ? `(${literals.join(', ')})` : ''}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan as PlanNode;
    const counted = plan['Node Type'] === 'Aggregate' ? plan.Plans?.[0] : undefined;
    const read = rowsReadBy(plan);
    if (!most || read > most.read) most = { text, read, returned: (counted ?? plan)['Actual Rows'] };
  }
  await client.query('DEALLOCATE measured');
  return most as RowsRead;
}

function rowsReadBy(node: PlanNode): number {
  const rows =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const own = node['Relation Name'] === undefined ? 0 : rows * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, below) => sum + rowsReadBy(below), own);
}
