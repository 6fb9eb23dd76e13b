import type { DataSource, QueryRunner } from 'typeorm';
import type { CheckContext } from '../../platform/cli/cli';
import { driverCode } from '../../platform/database/driver/driver-errors';
import type { PostgresClient } from '../../platform/database/driver/postgres-client';
import { type Check, failed, type Finding, ok, skipped } from '../../platform/health/check';
import { MOST_PROBLEMS } from './inspection';

/** SQLSTATE for a function that this user may not call. */
const NOT_ALLOWED = '42501';

const UNUSABLE_INDEXES = `
  SELECT format('%I.%I', schema.nspname, class.relname) AS name
  FROM pg_index AS entry
  JOIN pg_class AS class ON class.oid = entry.indexrelid
  JOIN pg_namespace AS schema ON schema.oid = class.relnamespace
  WHERE NOT (entry.indisvalid AND entry.indisready AND entry.indislive)
    AND schema.nspname !~ '^(pg_|information_schema$)'
  ORDER BY 1`;

const UNCHECKED_CONSTRAINTS = `
  SELECT format('%I of %s', conname, conrelid::regclass) AS name
  FROM pg_constraint WHERE NOT convalidated ORDER BY 1`;

/** The columns of keys that a sequence assigns. */
const KEY_SEQUENCES = `
  SELECT format('%I.%I', schema.nspname, class.relname) AS table, attname AS column,
    pg_get_serial_sequence(format('%I.%I', schema.nspname, class.relname), attname) AS sequence
  FROM pg_attribute
  JOIN pg_class AS class ON class.oid = attrelid AND class.relkind IN ('r', 'p') AND NOT class.relispartition
  JOIN pg_namespace AS schema ON schema.oid = class.relnamespace
  WHERE attnum > 0 AND NOT attisdropped AND schema.nspname = current_schema()
    AND pg_get_serial_sequence(format('%I.%I', schema.nspname, class.relname), attname) IS NOT NULL
  ORDER BY 1, 2`;

const PAGE_CHECKSUMS = `
  SELECT current_setting('data_checksums') AS checksums, checksum_failures::int AS failures
  FROM pg_stat_database WHERE datname = current_database()`;

const AMCHECK = `
  SELECT extnamespace::regnamespace::text AS schema FROM pg_extension WHERE extname = 'amcheck'`;

const BTREE_INDEXES = `
  SELECT class.oid::int8 AS id, format('%I.%I', schema.nspname, class.relname) AS name
  FROM pg_index AS entry
  JOIN pg_class AS class ON class.oid = entry.indexrelid
  JOIN pg_am AS method ON method.oid = class.relam AND method.amname = 'btree'
  JOIN pg_namespace AS schema ON schema.oid = class.relnamespace
  WHERE entry.indisvalid AND class.relpersistence <> 't' AND class.relkind = 'i'
    AND schema.nspname !~ '^(pg_|information_schema$)'
  ORDER BY name`;

type DatabaseCheck = Check<Pick<CheckContext, 'isDeep' | 'database'>>;

const INDEXES: DatabaseCheck = {
  name: 'indexes',
  needs: 'database',
  async check({ database }) {
    const faults = (await namesOf(await database(), UNUSABLE_INDEXES)).map((name) =>
      failed(`The index ${name} is incomplete and not used.`, `Run REINDEX INDEX CONCURRENTLY ${name}.`),
    );
    return faults.length > 0 ? faults : ok('Every index can be used.');
  },
};

const CONSTRAINTS: DatabaseCheck = {
  name: 'constraints',
  needs: 'database',
  async check({ database }) {
    const faults = (await namesOf(await database(), UNCHECKED_CONSTRAINTS)).map((name) =>
      failed(`The constraint ${name} was never checked for older rows.`, 'Run VALIDATE CONSTRAINT.'),
    );
    return faults.length > 0 ? faults : ok('Every constraint holds for all rows.');
  },
};

/** Finds sequences that would assign a key which a row has: each creation would fail until the sequence has passed the rows. */
const SEQUENCES: DatabaseCheck = {
  name: 'sequences',
  needs: 'database',
  async check({ database }) {
    const dataSource = await database();
    const faults: Finding[] = [];
    try {
      for (const each of await dataSource.query<KeySequence[]>(KEY_SEQUENCES)) {
        const { table, column, sequence } = each;
        const [row] = await dataSource.query<{ isBehind: boolean }[]>(
          // One that has assigned no key yet assigns its last value next.
          `SELECT COALESCE((SELECT max("${column}") FROM ${table}) >= last_value + is_called::int, false) AS "isBehind" FROM ${sequence}`,
        );
        if (row?.isBehind) faults.push(behind(each));
      }
    } catch (error) {
      if (driverCode(error) !== NOT_ALLOWED) throw error;
      return skipped('This user may not read the sequences.', 'Run GRANT SELECT ON ALL SEQUENCES.');
    }
    return faults.length > 0 ? faults : ok('Every sequence is ahead of the rows.');
  },
};

/** A column of keys, and the sequence that assigns them. */
interface KeySequence {
  readonly table: string;
  readonly column: string;
  readonly sequence: string;
}

function behind({ table, column, sequence }: KeySequence): Finding {
  return failed(
    `The sequence ${sequence} is behind the rows of ${table}, so creations fail.`,
    `Run SELECT setval('${sequence}', (SELECT max("${column}") FROM ${table})).`,
  );
}

/** Reads what the server has recorded of damage. */
const CHECKSUMS: DatabaseCheck = {
  name: 'checksums',
  needs: 'database',
  async check({ database }) {
    const [row] = await (
      await database()
    ).query<{ checksums: string; failures: number | null }[]>(PAGE_CHECKSUMS);
    if (row?.checksums !== 'on') return skipped('Page checksums are disabled on the server.');
    const failures = row.failures ?? 0;
    return failures > 0
      ? failed(`The server found ${failures} pages with a wrong checksum.`)
      : ok('No page with a wrong checksum was found.');
  },
};

/** Compares every entry of every B-tree index with its table by the extension amcheck (PostgreSQL 18, F.1). */
const INDEX_STRUCTURE: DatabaseCheck = {
  name: 'indexStructure',
  needs: 'database',
  async check({ isDeep, database }) {
    if (!isDeep) return [];
    const dataSource = await database();
    const [extension] = await dataSource.query<{ schema: string }[]>(AMCHECK);
    if (!extension) {
      return skipped('The extension amcheck is not there: CREATE EXTENSION amcheck lets this be looked at.');
    }
    const indexes = await dataSource.query<{ id: bigint; name: string }[]>(BTREE_INDEXES);
    const faults: Finding[] = [];
    try {
      for (const index of indexes) {
        const complaint = await complaintAbout(dataSource, extension.schema, index.id);
        if (complaint !== undefined) faults.push(failed(`${index.name}: ${complaint}`));
        if (faults.length === MOST_PROBLEMS) break;
      }
    } catch (error) {
      if (driverCode(error) !== NOT_ALLOWED) throw error;
      return skipped('This user may not call amcheck.', 'Run GRANT EXECUTE ON FUNCTION bt_index_check.');
    }
    return faults.length > 0 ? faults : ok(`All ${indexes.length} indexes agree with their tables.`);
  },
};

/** The checks of a database on PostgreSQL. */
export const POSTGRES_CHECKS: readonly DatabaseCheck[] = [
  INDEXES,
  CONSTRAINTS,
  SEQUENCES,
  CHECKSUMS,
  INDEX_STRUCTURE,
];

/** Checks one index without the time limits of requests: a large index takes minutes. */
async function complaintAbout(
  dataSource: DataSource,
  schema: string,
  index: bigint,
): Promise<string | undefined> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as PostgresClient;
  client.limitSilence(false);
  try {
    await runner.query('BEGIN');
    return await checked(runner, schema, index);
  } finally {
    await runner.query('ROLLBACK');
    client.limitSilence(true);
    await runner.release();
  }
}

async function checked(runner: QueryRunner, schema: string, index: bigint): Promise<string | undefined> {
  await runner.query('SET LOCAL statement_timeout = 0');
  try {
    await runner.query(`SELECT ${schema}.bt_index_check($1::int8::oid::regclass, true)`, [index]);
    return undefined;
  } catch (error) {
    // The server reports damage as class XX.
    if (driverCode(error)?.startsWith('XX')) return (error as Error).message;
    throw error;
  }
}

async function namesOf(dataSource: DataSource, sql: string): Promise<string[]> {
  return (await dataSource.query<{ name: string }[]>(sql)).map(({ name }) => name);
}
