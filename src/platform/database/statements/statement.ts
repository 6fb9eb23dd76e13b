import type SqliteDatabase from 'better-sqlite3';
import type { Pool, PoolClient } from 'pg';
import {
  type DataSource,
  type EntityManager,
  type EntityTarget,
  type InsertQueryBuilder,
  type ObjectLiteral,
  QueryBuilder,
} from 'typeorm';
import { type Engine, engineOf } from '../column-types';
import { keepsStatements, poolOf, sqliteOf } from '../driver/data-source';
import { databaseSpan } from '../driver/database-span';
import { PostgresStatement } from './postgres-statement';
import type { ScanThread } from '../scans/scan-thread';
import { bindable, type BoundValue, type RowDecoder, rowDecoder } from './row-values';
import type { SpanOptions } from '../../tracing/span';

/** Stands for a value that is given each time a statement runs. */
class Parameter {
  constructor(readonly name: string) {}
}

/** Marks a place in a query for a value given at run time; use it where TypeORM expects the value. */
export function parameter(name: string): never {
  return new Parameter(name) as never;
}

/**
 * SQL that stands for the values of members, for `values()` and `set()`; {@link parameters} go with it. TypeORM would convert
 * a {@link parameter} as if it were the value.
 */
export function assignments(names: readonly string[]): Record<string, () => string> {
  return Object.fromEntries(names.map((name) => [name, () => `:${name}`]));
}

/** The parameters of {@link assignments}, for `setParameters()`. */
export function parameters(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, parameter(name)]));
}

/**
 * The insertion of a row of an entity, its values given when it runs.
 *
 * @param names members of the entity, its key only if the database is not to assign it
 */
export function insertion(
  manager: EntityManager,
  entity: EntityTarget<ObjectLiteral>,
  names: readonly string[],
): InsertQueryBuilder<ObjectLiteral> {
  return manager
    .createQueryBuilder()
    .insert()
    .into(entity, [...names])
    .values(assignments(names))
    .setParameters(parameters(names))
    .updateEntity(false);
}

/** Anything TypeORM can compile: every query builder has this. */
interface Compilable {
  getQueryAndParameters(): [string, unknown[]];
}

/** Query of a statement that is SQL alone: all of it is the tail. */
export const NO_QUERY: Compilable = { getQueryAndParameters: () => ['', []] };

/** Values by parameter name. */
export type StatementValues = Readonly<Record<string, BoundValue>>;

/** Options for running a statement. */
export interface StatementOptions {
  /**
   * Set for a statement that reads or writes few rows by an index and waits for no other transaction. On PostgreSQL such
   * executions share connections and round trips.
   */
  readonly isPipelined?: boolean;
  /** Set for a statement that may read many rows: on SQLite, outside a transaction, it runs in a thread of its own. */
  readonly isScan?: boolean;
}

/**
 * One SQL statement, compiled by TypeORM once and prepared by the engine once.
 *
 * TypeORM's own `find` builds its SQL and hydrates an entity per row on each call, which is most of what a list costs.
 */
export class Statement<Row> {
  private static count = 0;
  /** True if the statement changes rows. */
  readonly isWrite: boolean;
  /** Same as in {@link StatementOptions}. */
  readonly isScan: boolean;
  /** The SQL as it was compiled, with parameters in place of values. */
  readonly text: string;
  /** Span that a trace shows for the statement. */
  readonly span: SpanOptions;
  private readonly sql: string;
  private readonly names: readonly string[];
  private readonly postgres: PostgresStatement | undefined;
  private readonly engine: Engine;
  private readonly decode: RowDecoder | undefined;
  private sqlite: SqliteDatabase.Statement<unknown[], Row> | undefined;

  /**
   * @param query a query builder whose changing values are {@link parameter}s
   * @param tail SQL to append that TypeORM has no parameters for, as `LIMIT`; parameters are written `:name`
   */
  constructor(
    private readonly dataSource: DataSource,
    query: Compilable,
    tail = '',
    { isPipelined = false, isScan = false }: StatementOptions = {},
  ) {
    this.isScan = isScan;
    const [sql, values] = query.getQueryAndParameters();
    const names = values.map((value) => {
      if (!(value instanceof Parameter)) throw new Error('A statement takes parameters only, not constants.');
      return value.name;
    });
    this.engine = engineOf(dataSource);
    const appended = tail.replaceAll(/(?<!:):(\w+)/g, (_, name: string) => {
      names.push(name);
      return this.engine === 'postgres' ? `$${names.length}` : '?';
    });
    const whole = `${sql} ${appended}`.trim();
    this.text = whole;
    this.isWrite = !/^SELECT\b/i.test(whole);
    this.sql = this.engine === 'sqlite' && !this.isWrite ? keepingPlan(whole) : whole;
    const operation = (/^\w+/.exec(whole)?.[0] ?? '').toUpperCase();
    this.span = databaseSpan(this.engine, { operation, table: tableOf(query), text: whole });
    this.names = names;
    if (this.engine === 'postgres') {
      // The server forgets a statement without a name at the next one.
      const name = keepsStatements(dataSource) ? `petstore_${Statement.count++}` : '';
      this.postgres = new PostgresStatement(name, whole, this.isWrite, isPipelined);
    }
    this.decode = rowDecoder(query, dataSource);
  }

  /** Runs it now: on PostgreSQL on the connection given or on one of the pool; at once on SQLite. */
  run(values: StatementValues, client?: PoolClient, pool?: Pool): Row[] | Promise<Row[]> {
    const list = this.names.map((name) => bindable(values[name], this.engine));
    if (this.postgres) {
      const texts = list.map((value) => (value === null || value === undefined ? null : String(value)));
      const rows = client
        ? this.postgres.runOn(client, texts)
        : this.postgres.run(pool ?? poolOf(this.dataSource), texts);
      return this.decode ? this.decoded(rows as Promise<Row[]>, this.decode) : (rows as Promise<Row[]>);
    }
    // Prepared at its first run: the tables need not exist when the application is put together.
    this.sqlite ??= sqliteOf(this.dataSource).prepare<unknown[], Row>(this.sql);
    const rows = this.sqlite.all(...list);
    if (this.decode) for (const row of rows) this.decode(row);
    return rows;
  }

  /** Runs it in the thread of scans. */
  scan(scans: ScanThread, values: StatementValues): Promise<Row[]> {
    const rows = scans.run<Row>(
      this.sql,
      this.names.map((name) => bindable(values[name], this.engine)),
    );
    return this.decode ? this.decoded(rows, this.decode) : rows;
  }

  private async decoded(rows: Promise<Row[]>, decode: RowDecoder): Promise<Row[]> {
    const all = await rows;
    for (const row of all) decode(row);
    return all;
  }
}

/** Returns the table of a query about an entity; undefined for any other. */
function tableOf(query: unknown): string | undefined {
  if (!(query instanceof QueryBuilder)) return undefined;
  const { mainAlias } = (query as QueryBuilder<object>).expressionMap;
  return mainAlias?.hasMetadata ? mainAlias.metadata.tableName : undefined;
}

/**
 * Keeps SQLite from planning a statement anew whenever a bare parameter is bound to another value, because its statistics might
 * favour another index (sqlite3_prepare_v2, SQLITE_ENABLE_STAT4); that is half the cost of a short query. Behind a unary plus
 * SQLite ignores the value; the plus itself changes nothing, not even a text.
 */
function keepingPlan(sql: string): string {
  return sql.replaceAll('?', '(+?)');
}
