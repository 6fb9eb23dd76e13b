import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type CitusCluster, type Query, readCluster } from './cluster';
import { type Placement, placementsOf, type Spread } from './placement';
import { statementsFor } from './statements';

const FOREIGN = `
  SELECT relname AS "table" FROM pg_class
  WHERE oid = ANY (SELECT to_regclass(quote_ident(name)) FROM unnest($1::text[]) AS name) AND NOT pg_has_role(relowner, 'USAGE')
  ORDER BY 1`;

/** Limit for waiting on a table's lock: requests queue behind a statement that waits for one. In milliseconds. */
const LOCK_TIMEOUT_MS = 1_000;

/** Reads where tables are, and moves them. */
@Injectable()
export class DistributionRepository {
  constructor(private readonly dataSource: DataSource) {}

  placements(spread: readonly Spread[]): Placement[] {
    return placementsOf(this.dataSource, spread);
  }

  /** Statements that move tables to where they belong. */
  statements(moving: readonly Placement[]): string[] {
    return statementsFor(this.dataSource, moving);
  }

  /** @returns undefined if Citus is not installed */
  readCluster(): Promise<CitusCluster | undefined> {
    return readCluster(this.query);
  }

  /** The tables among these that another role owns. */
  async findForeign(tables: readonly string[]): Promise<string[]> {
    const found = await this.query<{ table: string }>(FOREIGN, [tables]);
    return found.map(({ table }) => table);
  }

  /** Runs the statements in the transaction in progress. */
  async run(statements: readonly string[]): Promise<void> {
    // One connection to each worker: a foreign key may lead from what one statement has made to what the next one makes.
    await this.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
    await this.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    for (const statement of statements) await this.query(statement);
  }

  private readonly query: Query = (sql, values) => this.dataSource.query(sql, values);
}
