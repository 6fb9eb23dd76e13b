import type { ConstraintType } from './effect';

/** The tables of a database and what belongs to them, by the numbers that PostgreSQL gives, which outlive a new name. */
export interface Catalog {
  readonly tables: readonly {
    readonly id: number;
    readonly name: string;
    readonly schema: string;
    /** The file with the rows: another one after they were written anew. */
    readonly file: number;
    /** Whether rows are hidden by policies, also from the owner, and those policies. */
    readonly rowSecurity: string;
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
  readonly triggers: readonly {
    readonly table: number;
    readonly name: string;
    readonly isBeforeRows: boolean;
    /** Text of the trigger and of its function. */
    readonly definition: string;
  }[];
  readonly rules: readonly { readonly table: number; readonly name: string; readonly definition: string }[];
  /** Values of enums, once for each table with a column of that type. */
  readonly labels: readonly { readonly id: number; readonly table: number; readonly label: string }[];
  /** Tables for which requests wait: the transaction holds a lock of readers or writers. */
  readonly waits: readonly { readonly table: number }[];
  /** How often the transaction has read a table. */
  readonly reads: readonly { readonly table: number; readonly times: number }[];
  /** Statements about rows since the last look, also those of functions. */
  readonly writes: readonly { readonly table: number; readonly verb: string }[];
}

/** The schema with the notes of the judge, which no migration knows. */
const OWN = 'petstore_judge';

type Send = (sql: string) => Promise<unknown>;

/** Makes what {@link noteWrites} needs. */
export async function prepareNotes(send: Send): Promise<void> {
  await send(`CREATE SCHEMA "${OWN}"`);
  await send(`CREATE TABLE "${OWN}"."writes" ("table" int8, "verb" text)`);
  await send(
    `CREATE FUNCTION "${OWN}"."note"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO "${OWN}"."writes" VALUES (TG_RELID, TG_OP); RETURN NULL; END $$`,
  );
}

/** Makes tables note which kinds of writes reach them, though they have no rows. */
export async function noteWrites(send: Send, tables: Catalog['tables']): Promise<void> {
  for (const { schema, name } of tables) {
    await send(
      `CREATE TRIGGER "${OWN}" BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "${schema}"."${name}" FOR EACH STATEMENT EXECUTE FUNCTION "${OWN}"."note"()`,
    );
  }
}

const QUERIES = {
  tables: `
    SELECT oid::int8 AS id, relname AS name, relnamespace::regnamespace::text AS schema, relfilenode::int8 AS file,
      concat_ws(' ', relrowsecurity, relforcerowsecurity, (
        SELECT string_agg(concat_ws(' ', polname, polcmd, polpermissive, pg_get_expr(polqual, polrelid)), ';' ORDER BY polname)
        FROM pg_policy WHERE polrelid = chosen.oid)) AS "rowSecurity"
    FROM chosen`,
  columns: `
    SELECT attrelid::int8 AS "table", attnum AS number, attname AS name, format_type(atttypid, atttypmod) AS type,
      NOT attnotnull AS "isNullable", pg_get_expr(adbin, adrelid) AS "default",
      attidentity <> '' OR attgenerated <> '' AS "isGenerated"
    FROM chosen JOIN pg_attribute ON attrelid = chosen.oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum`,
  constraints: `
    SELECT pg_constraint.oid::int8 AS id, conrelid::int8 AS "table", conname AS name, contype AS type,
      convalidated AS "isValid", conindid::int8 AS index, pg_get_constraintdef(pg_constraint.oid) AS definition
    FROM chosen JOIN pg_constraint ON conrelid = chosen.oid AND contype IN ('c', 'f', 'p', 'u', 'x', 'n')`,
  indexes: `
    SELECT indexrelid::int8 AS id, indrelid::int8 AS "table", entry.relname AS name, indisunique AS "isUnique",
      entry.relfilenode::int8 AS file, pg_get_indexdef(indexrelid) AS definition
    FROM chosen JOIN pg_index ON indrelid = chosen.oid JOIN pg_class AS entry ON entry.oid = indexrelid`,
  triggers: `
    SELECT tgrelid::int8 AS "table", tgname AS name, tgtype & 3 = 3 AS "isBeforeRows",
      pg_get_triggerdef(pg_trigger.oid) || prosrc AS definition
    FROM chosen JOIN pg_trigger ON tgrelid = chosen.oid AND NOT tgisinternal AND tgname <> '${OWN}'
      JOIN pg_proc ON pg_proc.oid = tgfoid`,
  rules: `
    SELECT ev_class::int8 AS "table", rulename AS name, pg_get_ruledef(pg_rewrite.oid) AS definition
    FROM chosen JOIN pg_rewrite ON ev_class = chosen.oid`,
  labels: `
    SELECT DISTINCT pg_enum.oid::int8 AS id, attrelid::int8 AS "table", enumlabel AS label
    FROM chosen JOIN pg_attribute ON attrelid = chosen.oid AND NOT attisdropped JOIN pg_enum ON enumtypid = atttypid`,
  waits: `
    SELECT DISTINCT relation::int8 AS "table" FROM chosen JOIN pg_locks ON relation = chosen.oid AND pid = pg_backend_pid()
      AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`,
  reads: `
    SELECT relid::int8 AS "table", seq_scan + coalesce(idx_scan, 0) AS times
    FROM chosen JOIN pg_stat_xact_user_tables ON relid = chosen.oid`,
} satisfies Record<Exclude<keyof Catalog, 'writes'>, string>;

/** The catalog of the given tables; without any, that of all tables. */
export async function readCatalog(send: Send, tables?: readonly number[]): Promise<Catalog> {
  const chosen =
    tables === undefined
      ? `relkind IN ('r', 'p') AND relnamespace::regnamespace::text !~ '^(pg_|information_schema$|${OWN}$)'`
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
  const noted = (await send(`SELECT "table"::text AS "table", "verb" FROM "${OWN}"."writes"`)) as {
    table: string;
    verb: string;
  }[];
  if (noted.length > 0) await send(`DELETE FROM "${OWN}"."writes"`);
  return noted.map(({ table, verb }) => ({ table: Number(table), verb }));
}
