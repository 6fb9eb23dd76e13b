import type { ConstraintType } from './effect';

/** The tables of a schema and what belongs to them, by the numbers that PostgreSQL gives, which outlive a new name. */
export interface Catalog {
  readonly tables: readonly {
    readonly id: number;
    readonly name: string;
    readonly schema: string;
    /** The file with the rows: another one after they were written anew. */
    readonly file: number;
  }[];
  readonly columns: readonly {
    readonly table: number;
    readonly number: number;
    readonly name: string;
    readonly type: string;
    readonly isNullable: boolean;
    readonly default: string | null;
    /** True of a value that the database makes: an identity, or computed from others. */
    readonly isGenerated: boolean;
  }[];
  readonly constraints: readonly {
    readonly id: number;
    readonly table: number;
    readonly name: string;
    readonly type: ConstraintType;
    readonly isValid: boolean;
    readonly index: number;
    readonly references: number;
    readonly definition: string;
  }[];
  readonly indexes: readonly {
    readonly id: number;
    readonly table: number;
    readonly name: string;
    readonly isUnique: boolean;
    readonly file: number;
    readonly definition: string;
  }[];
  readonly triggers: readonly { readonly id: number; readonly table: number; readonly name: string }[];
  /** Values of enums, once for each table with a column of that type. */
  readonly labels: readonly { readonly id: number; readonly table: number; readonly label: string }[];
  /** Statements about rows since the last look, also those of functions. */
  readonly writes: readonly { readonly table: number; readonly verb: string }[];
}

/** The function that notes a write, and the table for its notes. */
const NOTES = 'petstore_plan_writes';

type Send = (sql: string) => Promise<unknown>;

/**
 * Copies the tables of a schema that no migration has made, without their rows: a statement about them would find those themselves,
 * if the schema has an extension, and lock them.
 */
export async function copyOtherTables(send: Send, schema: string): Promise<void> {
  const found = (await send(`
    SELECT format('CREATE TABLE %I (LIKE %I.%I INCLUDING ALL)', relname, nspname, relname) AS copy
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace AND nspname = '${schema.replaceAll("'", "''")}'
    WHERE relkind IN ('r', 'p') AND has_table_privilege(pg_class.oid, 'SELECT')
      AND to_regclass(format('%I.%I', current_schema(), relname)) IS NULL
      AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')`)) as {
    copy: string;
  }[];
  for (const { copy } of found) await send(copy);
}

/** Makes what {@link noteWrites} needs. */
export async function prepareNotes(send: Send): Promise<void> {
  await send(`CREATE TABLE "${NOTES}" ("table" int8, "verb" text)`);
  await send(
    `CREATE FUNCTION "${NOTES}"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN INSERT INTO "${NOTES}" VALUES (TG_RELID, TG_OP); RETURN NULL; END $$`,
  );
}

/** Has tables note which kinds of writes reach them, though they have no rows. */
export async function noteWrites(send: Send, tables: Catalog['tables']): Promise<void> {
  for (const { name } of tables) {
    await send(
      `CREATE TRIGGER "${NOTES}" BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "${name}" FOR EACH STATEMENT EXECUTE FUNCTION "${NOTES}"()`,
    );
  }
}

const QUERIES = {
  tables: `
    SELECT oid::int8 AS id, relname AS name, relnamespace::regnamespace::text AS schema, relfilenode::int8 AS file
    FROM chosen`,
  columns: `
    SELECT attrelid::int8 AS "table", attnum AS number, attname AS name, format_type(atttypid, atttypmod) AS type,
      NOT attnotnull AS "isNullable", pg_get_expr(adbin, adrelid) AS "default",
      attidentity <> '' OR attgenerated <> '' AS "isGenerated"
    FROM chosen JOIN pg_attribute ON attrelid = chosen.oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum`,
  constraints: `
    SELECT pg_constraint.oid::int8 AS id, conrelid::int8 AS "table", conname AS name, contype AS type,
      convalidated AS "isValid", conindid::int8 AS index, confrelid::int8 AS references,
      pg_get_constraintdef(pg_constraint.oid) AS definition
    FROM pg_constraint WHERE contype IN ('c', 'f', 'p', 'u', 'x', 'n')
      AND (conrelid IN (SELECT oid FROM chosen) OR confrelid IN (SELECT oid FROM chosen))`,
  indexes: `
    SELECT indexrelid::int8 AS id, indrelid::int8 AS "table", entry.relname AS name, indisunique AS "isUnique",
      entry.relfilenode::int8 AS file, pg_get_indexdef(indexrelid) AS definition
    FROM chosen JOIN pg_index ON indrelid = chosen.oid JOIN pg_class AS entry ON entry.oid = indexrelid`,
  triggers: `
    SELECT pg_trigger.oid::int8 AS id, tgrelid::int8 AS "table", tgname AS name
    FROM chosen JOIN pg_trigger ON tgrelid = chosen.oid AND NOT tgisinternal AND tgname <> '${NOTES}'`,
  labels: `
    SELECT DISTINCT pg_enum.oid::int8 AS id, attrelid::int8 AS "table", enumlabel AS label
    FROM chosen JOIN pg_attribute ON attrelid = chosen.oid AND NOT attisdropped JOIN pg_enum ON enumtypid = atttypid`,
} satisfies Record<Exclude<keyof Catalog, 'writes'>, string>;

/** The catalog of the given tables; without any, that of all tables of the current schema. */
export async function readCatalog(send: Send, tables?: readonly number[]): Promise<Catalog> {
  const chosen =
    tables === undefined
      ? `relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace AND relname <> '${NOTES}'`
      : `oid::int8 = ANY ('{${tables.join(',')}}'::int8[])`;
  const [row] = (await send(`
    WITH chosen AS (SELECT * FROM pg_class WHERE ${chosen}),
    ${Object.entries(QUERIES)
      .map(([name, sql]) => `"${name}" AS (${sql})`)
      .join(',\n')}
    SELECT json_build_object(${Object.keys(QUERIES)
      .map((name) => `'${name}', (SELECT coalesce(json_agg("${name}"), '[]') FROM "${name}")`)
      .join(', ')})::text AS catalog`)) as [{ catalog: string }];
  const found = JSON.parse(row.catalog) as Omit<Catalog, 'writes'>;
  return { ...found, writes: tables === undefined ? [] : await takeNotes(send) };
}

async function takeNotes(send: Send): Promise<Catalog['writes']> {
  const noted = (await send(`SELECT "table"::text AS "table", "verb" FROM "${NOTES}"`)) as {
    table: string;
    verb: string;
  }[];
  if (noted.length > 0) await send(`DELETE FROM "${NOTES}"`);
  return noted.map(({ table, verb }) => ({ table: Number(table), verb }));
}
