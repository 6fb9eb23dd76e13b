import type { QueryRunner } from 'typeorm';

/** Ids of rows that a message names at most. */
const MOST_EXAMPLES = 5;

/** Member of a runner that carries out nothing of a migration but what it requires of the rows. */
export const REQUIRING = Symbol('requiring');

/** Reports existing rows that break a demand of a migration; the message names them. */
export class UnfitRowsError extends Error {}

/**
 * Checks that rows are unique; to be called first in `up` of a migration that makes columns unique.
 *
 * @param where SQL that limits it to some rows, as a partial index does
 * @throws UnfitRowsError when rows share their values; a row without a value in one of the columns shares nothing
 */
export async function requireUnique(
  queryRunner: QueryRunner,
  table: string,
  columns: readonly string[],
  where?: string,
): Promise<void> {
  const names = columns.map((column) => `"${column}"`).join(', ');
  const some = where === undefined ? '' : ` WHERE ${where}`;
  const shared = `(${names}) IN (SELECT ${names} FROM "${table}"${some} GROUP BY ${names} HAVING count(*) > 1)`;
  await requireNone(queryRunner, {
    table,
    where: where === undefined ? shared : `${shared} AND (${where})`,
    order: `${names}, "id"`,
    demand: `${place(table, columns)} must be unique`,
    one: 'shares its value with another row',
    many: 'share their values with other rows',
  });
}

/**
 * Called first thing in `up` of a migration that makes a column NOT NULL.
 *
 * @throws UnfitRowsError when rows have no value in it
 */
export function requireNotNull(queryRunner: QueryRunner, table: string, column: string): Promise<void> {
  return requireNone(queryRunner, {
    table,
    where: `"${column}" IS NULL`,
    demand: `${place(table, [column])} must not be null`,
    one: 'has no value',
    many: 'have no value',
  });
}

/**
 * Checks references; to be called first in `up` of a migration that adds a foreign key. SQLite does not check foreign keys
 * while migrations run.
 *
 * @throws UnfitRowsError when rows refer to missing rows
 */
export function requireReferences(
  queryRunner: QueryRunner,
  table: string,
  column: string,
  referencedTable: string,
): Promise<void> {
  const found = `SELECT 1 FROM "${referencedTable}" WHERE "${referencedTable}"."id" = "referring"."${column}"`;
  return requireNone(queryRunner, {
    table,
    // Named, for a table may refer to itself.
    alias: 'referring',
    where: `"${column}" IS NOT NULL AND NOT EXISTS (${found})`,
    demand: `${place(table, [column])} must refer to a row of ${referencedTable}`,
    one: 'refers to none',
    many: 'refer to none',
  });
}

/**
 * Checks a condition on rows; to be called first in `up` of a migration that adds a CHECK, or gives a column a narrower type.
 *
 * @param columns columns that the condition is about
 * @param condition SQL that every row must fulfil; a row for which it is null fulfils it
 * @throws UnfitRowsError when rows do not fulfil it
 */
export function requireCheck(
  queryRunner: QueryRunner,
  table: string,
  columns: readonly string[],
  condition: string,
): Promise<void> {
  return requireNone(queryRunner, {
    table,
    where: `NOT (${condition})`,
    demand: `${place(table, columns)} must fulfil ${condition}`,
    one: 'does not',
    many: 'do not',
  });
}

/** Rows over which PostgreSQL makes an index in about a second, for which writers may wait. */
const FEW_ROWS = 300_000;

/** An index would keep writers of a large table waiting. */
export class LargeTableError extends Error {}

/** An index that a migration makes. */
interface NewIndex {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
}

const HAS_INVALID = 'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid';

/** Tells whether PostgreSQL has an index of a name whose creation was interrupted: nothing uses it. */
export async function hasInvalidIndex(queryRunner: QueryRunner, name: string): Promise<boolean> {
  return ((await queryRunner.query(HAS_INVALID, [`"${name}"`])) as unknown[]).length > 0;
}

/**
 * Makes an index in the transaction of a migration on PostgreSQL, unless it is there already. An invalid one is made anew.
 *
 * @param creation SQL that makes the index
 * @throws LargeTableError when the table has many rows: writers wait until the index is made
 */
export async function makeIndex(queryRunner: QueryRunner, index: NewIndex, creation: string): Promise<void> {
  const { [REQUIRING]: reader = queryRunner } = queryRunner as { [REQUIRING]?: QueryRunner };
  const { name, table } = index;
  const many = (await reader.query(
    `SELECT 1 FROM "${table}" WHERE NOT EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid)
     OFFSET ${FEW_ROWS} LIMIT 1`,
    [`"${name}"`],
  )) as unknown[];
  const isInvalid = await hasInvalidIndex(reader, name);
  if (many.length > 0) {
    const drop = isInvalid ? `DROP INDEX CONCURRENTLY "${name}"; ` : '';
    const concurrently = `${drop}${creation.replace('INDEX IF NOT EXISTS', 'INDEX CONCURRENTLY')}`;
    const advice = (await isOfThisTransaction(reader, index))
      ? 'The migrations that are pending add its columns: put the index into a migration of its own, with addIndexConcurrently()'
      : `Make it before, while they go on: ${concurrently};`;
    throw new LargeTableError(
      `${table} has more than ${FEW_ROWS} rows, whose writers would wait for the index ${name}. ${advice}`,
    );
  }
  if (isInvalid) await queryRunner.query(`DROP INDEX "${name}"`);
  await queryRunner.query(creation);
}

/** True of an index on columns that the transaction in progress has added: nobody else can index them before. */
async function isOfThisTransaction(reader: QueryRunner, { table, columns }: NewIndex): Promise<boolean> {
  const added = (await reader.query(
    `SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = ANY ($2) AND xmin = pg_current_xact_id_if_assigned()::xid`,
    [`"${table}"`, columns],
  )) as unknown[];
  return added.length > 0;
}

/** Rows that must not be there, and how a message speaks of them. */
interface Unfit {
  readonly table: string;
  readonly alias?: string;
  readonly where: string;
  readonly order?: string;
  readonly demand: string;
  readonly one: string;
  readonly many: string;
}

async function requireNone(queryRunner: QueryRunner, unfit: Unfit): Promise<void> {
  const { table, alias, where, order = '"id"', demand, one, many } = unfit;
  const from = `FROM "${table}"${alias === undefined ? '' : ` AS "${alias}"`} WHERE ${where}`;
  const { [REQUIRING]: reader = queryRunner } = queryRunner as { [REQUIRING]?: QueryRunner };
  const found = (await reader.query(
    `SELECT "id", count(*) OVER () AS "total" ${from} ORDER BY ${order} LIMIT ${MOST_EXAMPLES}`,
  )) as { id: unknown; total: unknown }[];
  if (found.length === 0) return;
  const total = Number(found[0]?.total);
  const examples = found.map(({ id }) => String(id)).join(', ');
  const more = total > found.length ? ` and ${total - found.length} more` : '';
  const rows = total === 1 ? `1 row ${one}: id ${examples}` : `${total} rows ${many}: ids ${examples}${more}`;
  throw new UnfitRowsError(`${demand}, and ${rows}. This shows them: SELECT * ${from} ORDER BY ${order};`);
}

function place(table: string, columns: readonly string[]): string {
  return `${table}.${columns.length === 1 ? columns[0] : `(${columns.join(', ')})`}`;
}
