import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { appliedMigrations } from '../driver/older-database';
import { migrationName, migrationTime } from '../driver/schema-parts';
import { findMissingColumns } from './missing-columns';

/** State of a database's schema, compared with the migrations this build knows. */
export interface SchemaState {
  /** Names applied, oldest first. */
  readonly applied: readonly string[];
  /** Names this build knows and the database lacks, in the order in which they are run. */
  readonly pending: readonly string[];
  /** Names the database has and this build does not know: it is newer. */
  readonly unknown: readonly string[];
}

/**
 * Reads the state of a database's schema without changing anything.
 *
 * @param runner the connection to read on; one of the pool unless given
 */
export async function readSchemaState(dataSource: DataSource, runner?: QueryRunner): Promise<SchemaState> {
  const own = runner ?? dataSource.createQueryRunner();
  try {
    return await stateOf(dataSource, own);
  } finally {
    if (!runner) await own.release();
  }
}

async function stateOf(dataSource: DataSource, runner: QueryRunner): Promise<SchemaState> {
  const names = dataSource.migrations.map(migrationName);
  const known = names.sort((a, b) => migrationTime(a) - migrationTime(b));
  const applied = await appliedMigrations(runner);
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** The state of a database that is served. */
interface ServedState extends SchemaState {
  /** Tables and columns that are not there, though every migration is applied. */
  readonly missing: readonly string[];
}

/** Time for which a state with nothing missing is reported again without a new look, in milliseconds. */
const FRESH_MS = 5_000;

/** Tells whether the running service fits its database; readiness asks again and again. */
@Injectable()
export class SchemaReadiness {
  private current = false;
  private last: { readonly state: ServedState; readonly readAt: number } | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** Once the schema has caught up it stays so: migrations are never taken back under a running service. */
  async isCurrent(): Promise<boolean> {
    this.current ||= (await this.state()).pending.length === 0;
    return this.current;
  }

  /** The state; one with all that is needed may be some seconds old, so that probes do not read it over and over. */
  async state(): Promise<ServedState> {
    if (this.last && performance.now() - this.last.readAt < FRESH_MS) return this.last.state;
    const state = await readServedState(this.dataSource);
    const isWhole = state.pending.length === 0 && state.missing.length === 0;
    this.last = isWhole ? { state, readAt: performance.now() } : undefined;
    return state;
  }
}

async function readServedState(dataSource: DataSource): Promise<ServedState> {
  const runner = dataSource.createQueryRunner();
  try {
    const state = await stateOf(dataSource, runner);
    const missing = state.pending.length === 0 ? await findMissingColumns(dataSource, runner) : [];
    return { ...state, missing };
  } finally {
    await runner.release();
  }
}
