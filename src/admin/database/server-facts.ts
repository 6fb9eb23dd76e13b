import type { DataSource } from 'typeorm';
import { type Engine, engineOf } from '../../platform/database/column-types';
import { refusedWrite } from '../../platform/database/driver/driver-errors';

/** The facts about a database that a support person asks for first. */
export interface ServerFacts {
  readonly engine: Engine;
  /** `PostgreSQL 18.1` or `SQLite 3.51.0`. */
  readonly version: string;
  /** Time it took to answer, in milliseconds. */
  readonly latencyMs: number;
  /** Size of the database in bytes. */
  readonly sizeBytes: number;
  /** Present for a server only. */
  readonly server?: {
    /** Its clock, in milliseconds since 1970. */
    readonly clockMs: number;
    /** This process's clock just before and just after the question. */
    readonly askedMs: readonly [number, number];
    /** Connections that the server lets ordinary users open, and those open now. */
    readonly mostConnections: number;
    readonly openConnections: number;
    /** True of a standby, which takes no writes. */
    readonly isStandby: boolean;
    /** Why it carries out no write, by trial; undefined if it does. */
    readonly refusal: string | undefined;
  };
}

const SERVER = `
  SELECT current_setting('server_version') AS version,
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS clock,
    pg_is_in_recovery() AS standby,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
    (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS open,
    pg_database_size(current_database())::float8 AS size`;

interface ServerRow {
  readonly version: string;
  readonly clock: number;
  readonly standby: boolean;
  readonly most: number;
  readonly open: number;
  readonly size: number;
}

const FILE = `
  SELECT sqlite_version() AS version, page_count * page_size AS size FROM pragma_page_count, pragma_page_size`;

/** @throws the driver's error */
export async function readServerFacts(dataSource: DataSource): Promise<ServerFacts> {
  const began = performance.now();
  const before = Date.now();
  if (engineOf(dataSource) === 'sqlite') {
    const [file] = await dataSource.query<{ version: string; size: bigint }[]>(FILE);
    return {
      engine: 'sqlite',
      version: `SQLite ${file?.version}`,
      latencyMs: performance.now() - began,
      sizeBytes: Number(file?.size),
    };
  }
  const [row] = await dataSource.query<[ServerRow]>(SERVER);
  return {
    engine: 'postgres',
    version: `PostgreSQL ${row.version.split(' ')[0]}`,
    latencyMs: performance.now() - began,
    sizeBytes: row.size,
    server: {
      clockMs: row.clock,
      askedMs: [before, Date.now()],
      mostConnections: row.most,
      openConnections: row.open,
      isStandby: row.standby,
      refusal: await refusalOf(dataSource),
    },
  };
}

/** Some pages of a table that nobody sees and that is gone with its transaction: a full disk has no room for them. */
const TRIAL = `CREATE TEMPORARY TABLE petstore_trial ON COMMIT DROP AS SELECT repeat('x', 1000) FROM generate_series(1, 500)`;

async function refusalOf(dataSource: DataSource): Promise<string | undefined> {
  try {
    await dataSource.transaction((manager) => manager.query(TRIAL));
    return undefined;
  } catch (error) {
    // Whoever may not make such a table may change rows all the same.
    return refusedWrite(error);
  }
}
