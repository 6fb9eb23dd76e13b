import { DataSource, type DataSourceOptions, EntityManager, type QueryRunner } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel';
import type { ReplicationMode } from 'typeorm/driver/types/ReplicationMode';
import { engineOf } from '../column-types';
import { askForLetters } from './any-case';
import { Mutex } from './mutex';
import { ServicePostgresRunner, ServiceSqliteRunner } from './query-runners';
import type { RunnerContext } from './service-runner';
import { Transactions } from './transactions';

type ServiceRunner = ServicePostgresRunner | ServiceSqliteRunner;

type Work<T> = (manager: EntityManager) => Promise<T>;

/**
 * TypeORM's data source. Everything that TypeORM does goes through {@link createQueryRunner} and the `transaction` of an entity
 * manager: there it becomes part of the service's transactions.
 */
export class PetstoreDataSource extends DataSource implements RunnerContext {
  readonly transactions: Transactions;
  readonly connectionLock = new Mutex();
  idleRunnerMs = 10_000;
  longHoldMs = 200;
  /** True if statements that read many rows of a SQLite file run in a thread, so that they stop no request. */
  scansInThread = true;
  /** Prepared statements of SQLite; each runner of TypeORM's has its own. */
  private readonly prepared = new Map<string, unknown>();

  constructor(options: DataSourceOptions) {
    super(options);
    this.transactions = new Transactions(engineOf(this), () => this.newRunner('master'));
  }

  override async initialize(): Promise<this> {
    await super.initialize();
    if (engineOf(this) === 'postgres') await askForLetters(this);
    return this;
  }

  /** The query runner of the transaction in progress, or one of its own. */
  override createQueryRunner(mode: ReplicationMode = 'master'): ServiceRunner {
    const runner = this.transactions.current()?.runner as ServiceRunner | undefined;
    if (!runner) return this.newRunner(mode);
    runner.users++;
    return runner;
  }

  override createEntityManager(queryRunner?: QueryRunner): EntityManager {
    return new ServiceEntityManager(this, queryRunner);
  }

  /** Rolls back what is in progress: TypeORM would ask the runners of PostgreSQL for ever to be released, which waits for their work. */
  override async destroy(): Promise<void> {
    if (engineOf(this) === 'postgres') {
      const { connectedQueryRunners } = this.driver as PostgresDriver;
      for (const runner of [...connectedQueryRunners]) await (runner as ServicePostgresRunner).end();
    }
    await super.destroy();
  }

  private newRunner(mode: ReplicationMode): ServiceRunner {
    return engineOf(this) === 'postgres'
      ? new ServicePostgresRunner(this.driver as PostgresDriver, mode)
      : this.newSqliteRunner();
  }

  private newSqliteRunner(): ServiceSqliteRunner {
    const runner = new ServiceSqliteRunner(this.driver as BetterSqlite3Driver);
    Object.assign(runner, { stmtCache: this.prepared });
    return runner;
  }
}

/** TypeORM's entity manager, whose transactions are those of the service. */
class ServiceEntityManager extends EntityManager {
  override transaction<T>(work: Work<T>): Promise<T>;
  override transaction<T>(isolation: IsolationLevel, work: Work<T>): Promise<T>;
  override transaction<T>(first: IsolationLevel | Work<T>, second?: Work<T>): Promise<T> {
    const [isolation, work] = typeof first === 'function' ? [undefined, first] : [first, second as Work<T>];
    const { transactions } = this.dataSource as PetstoreDataSource;
    // True for the manager of a query runner outside the transaction in progress.
    const isApart = this.queryRunner && this.queryRunner !== transactions.current()?.runner;
    if (!isApart) return transactions.attempt(work, isolation);
    return isolation ? super.transaction(isolation, work) : super.transaction(work);
  }
}
