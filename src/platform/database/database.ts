import { Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import { currentTimeline } from '../tracing/request-context';
import { inSpan, isTraced } from '../tracing/span';
import { type Engine, engineOf } from './column-types';
import { databaseSpan } from './driver/database-span';
import { statementFailure, translateDriverError } from './driver/driver-errors';
import { GroupCommit } from './statements/group-commit';
import type { PetstoreDataSource } from './driver/petstore-data-source';
import { type PoolState, postgresPoolState } from './driver/pool-state';
import { Replicas } from './replicas/replicas';
import { scanManager } from './scans/scan-runner';
import { ScanThread } from './scans/scan-thread';
import { mayRetry } from './driver/retry-conflicts';
import { SqliteVersion } from './driver/sqlite-version';
import { poolOf, sqliteOf } from './driver/data-source';
import { Statement, type StatementOptions, type StatementValues } from './statements/statement';
import type { Transaction } from './driver/transactions';

/**
 * The way to the database for repositories.
 *
 * A transaction travels by AsyncLocalStorage: whatever runs inside one is part of it, and cannot reach the database
 * outside it by mistake. SQLite has one connection, so there a statement from elsewhere waits for an open transaction
 * rather than slipping into it. Every failure leaves as an AppError or as the fault it is.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  readonly engine: Engine;
  private readonly groupCommit: GroupCommit;
  private readonly sqliteVersion: SqliteVersion | undefined;
  /** Thread for statements that read many rows of a SQLite file. */
  readonly scans: ScanThread | undefined;

  constructor(
    readonly dataSource: DataSource,
    @Optional() private readonly replicas?: Replicas,
  ) {
    this.engine = engineOf(dataSource);
    this.groupCommit = new GroupCommit(() => sqliteOf(dataSource), this.shared.connectionLock);
    const file = dataSource.options.database;
    if (this.engine !== 'sqlite' || typeof file !== 'string' || file === ':memory:') return;
    this.sqliteVersion = new SqliteVersion(file);
    if (this.shared.scansInThread) this.scans = new ScanThread(file);
  }

  async onApplicationShutdown(): Promise<void> {
    this.sqliteVersion?.close();
    await this.scans?.close();
  }

  /** State of the connections; SQLite has one, which counts as used while one caller holds it alone. */
  get pool(): PoolState {
    if (this.engine === 'postgres') return postgresPoolState(poolOf(this.dataSource));
    const used = this.shared.connectionLock.isHeld ? 1 : 0;
    return { used, idle: 1 - used, max: 1 };
  }

  /** Whether {@link version} is worth asking. */
  get isVersioned(): boolean {
    return this.sqliteVersion !== undefined;
  }

  /** A number that changes with every commit, by any process; undefined where the engine has no cheap one. */
  version(): number | undefined {
    try {
      return this.sqliteVersion?.read();
    } catch {
      // The next statement on the database reports the fault.
      return undefined;
    }
  }

  /**
   * Prepares a statement TypeORM compiles.
   *
   * @param build returns the query builder, with `parameter(name)` in place of values
   * @param tail SQL appended to it (see {@link Statement})
   */
  prepare<Row>(
    build: (manager: EntityManager) => { getQueryAndParameters(): [string, unknown[]] },
    tail?: string,
    options?: StatementOptions,
  ): Statement<Row> {
    return new Statement<Row>(this.dataSource, build(this.dataSource.manager), tail, options);
  }

  /** Runs a prepared statement, inside the current transaction if there is one. */
  query<Row>(statement: Statement<Row>, values: StatementValues): Promise<Row[]> {
    return isTraced() ? this.runTraced(statement, values) : this.run(statement, values);
  }

  private async runTraced<Row>(statement: Statement<Row>, values: StatementValues): Promise<Row[]> {
    // The statements that begin a transaction are steps of it, not of its first statement.
    const transaction = this.current();
    if (transaction) await this.shared.transactions.open(transaction);
    return inSpan(statement.span, () => this.run(statement, values));
  }

  private async run<Row>(statement: Statement<Row>, values: StatementValues): Promise<Row[]> {
    const timeline = currentTimeline();
    const began = timeline ? performance.now() : 0;
    for (let attempt = 1; ; attempt++) {
      // By itself a statement is a transaction of its own; within one it is run again with all of it.
      let isAlone = false;
      try {
        const transaction = this.current();
        isAlone = !transaction;
        if (transaction) {
          transaction.runner.touch();
          const opening = this.shared.transactions.open(transaction);
          if (opening) await opening;
        }
        const run = transaction ? statement.run(values, transaction.client) : this.start(statement, values);
        // SQLite has read them when the call returns.
        const rows = run instanceof Promise ? await run : run;
        timeline?.addStatement(statement.text, began, rows.length);
        return rows;
      } catch (error) {
        if (isAlone && (await mayRetry(error, attempt))) continue;
        timeline?.addStatement(statement.text, began, undefined);
        throw statementFailure(error);
      }
    }
  }

  private start<Row>(statement: Statement<Row>, values: StatementValues): Row[] | Promise<Row[]> {
    if (statement.isScan && this.scans) return statement.scan(this.scans, values);
    if (this.engine === 'sqlite' && statement.isWrite) return this.groupCommit.run(statement, values);
    const { connectionLock } = this.shared;
    if (connectionLock.isHeld) return connectionLock.runExclusive(() => statement.run(values));
    return statement.run(values);
  }

  /**
   * Runs a prepared SELECT like {@link query}; outside a transaction a replica may run it. Either way it sees everything that was
   * acknowledged before. For what reads more than one row: a row by its key costs the primary no more than the question
   * that a replica asks it first.
   */
  queryReplica<Row>(statement: Statement<Row>, values: StatementValues): Promise<Row[]> {
    return this.replicas?.areThere
      ? this.runOnReplica(this.replicas, statement, values)
      : this.query(statement, values);
  }

  private async runOnReplica<Row>(
    replicas: Replicas,
    statement: Statement<Row>,
    values: StatementValues,
  ): Promise<Row[]> {
    if (this.current()) return this.query(statement, values);
    const timeline = currentTimeline();
    const began = performance.now();
    try {
      const rows = (await replicas.read(statement, values)) ?? (await statement.run(values));
      timeline?.addStatement(statement.text, began, rows.length);
      return rows;
    } catch (error) {
      timeline?.addStatement(statement.text, began, undefined);
      throw statementFailure(error);
    }
  }

  /**
   * Runs TypeORM calls that may look at many rows on the repository of an entity: on SQLite, outside a transaction, a thread of their
   * own reads.
   */
  async scan<Entity extends ObjectLiteral, T>(
    entity: EntityTarget<Entity>,
    work: (repository: Repository<Entity>) => Promise<T>,
  ): Promise<T> {
    if (!this.scans || this.current()) return work(this.dataSource.getRepository(entity));
    const { tableName: table } = this.dataSource.getMetadata(entity);
    try {
      const repository = scanManager(this.dataSource, this.scans).getRepository(entity);
      return await inSpan(databaseSpan(this.engine, { table }), () => work(repository));
    } catch (error) {
      throw translateDriverError(error);
    }
  }

  /**
   * Runs the work in one transaction; inside another it joins that one. The transaction begins at the first statement: before
   * that, the work holds no connection. Rolls back when the work throws. Work that loses against other transactions is run
   * again from its beginning, a few times at most, so its effects outside the database may be repeated.
   *
   * @param atBegin runs in the transaction ahead of the first statement; not where the work joins another
   */
  async transaction<T>(work: () => Promise<T>, atBegin?: () => Promise<void>): Promise<T> {
    return this.current() ? work() : this.shared.transactions.run(work, undefined, atBegin);
  }

  /**
   * Runs a part of the transaction in progress that may fail: when the part throws, its changes are undone, and the transaction
   * goes on. Outside one, the part is a transaction of its own.
   */
  attempt<T>(work: () => Promise<T>): Promise<T> {
    return this.shared.transactions.attempt(work);
  }

  /** True while the work in progress is part of a transaction. */
  get isInTransaction(): boolean {
    return this.current() !== undefined;
  }

  /**
   * Runs the action in the transaction in progress, at its end; an error of the action rolls it back. @throws Error outside one
   */
  beforeCommit(action: () => Promise<void>): void {
    const transaction = this.current();
    if (!transaction) throw new Error('beforeCommit() needs a transaction.');
    transaction.beforeCommit.push(action);
  }

  /**
   * Runs the action once the transaction in progress is committed, at once outside one; never when it is rolled back. After a commit
   * an error of the action is logged, and thrown to nobody.
   */
  afterCommit(action: () => void): void {
    const transaction = this.current();
    if (transaction) transaction.afterCommit.push(action);
    else action();
  }

  /** The data source, with the lock and transactions that its query runners share with the statements prepared here. */
  private get shared(): PetstoreDataSource {
    return this.dataSource as PetstoreDataSource;
  }

  private current(): Transaction | undefined {
    return this.shared.transactions.current();
  }
}
