import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel';
import { callerPlace } from '../../tracing/caller-place';
import { currentContext, inContext } from '../../tracing/request-context';
import { inSpan } from '../../tracing/span';
import type { Engine } from '../column-types';
import { databaseSpan } from './database-span';
import { translateDriverError } from './driver-errors';
import { assertAllEnded, inTransaction, type NestingRunner } from './in-transaction';
import { mayRetry } from './retry-conflicts';

/** Isolation levels, from the weakest to the strongest. */
const LEVELS: readonly IsolationLevel[] = [
  'READ UNCOMMITTED',
  'READ COMMITTED',
  'REPEATABLE READ',
  'SERIALIZABLE',
];

const ENDED = 'The transaction of this work has ended: await all work that is begun inside a transaction.';

/** A transaction that work is part of, and its savepoints. */
export class Transaction {
  /** Settles once the transaction has begun; unset before its first use. */
  opening: Promise<void> | undefined;
  /** True once the transaction has begun. A transaction by hand begins when the feature says so. */
  isOpen: boolean;
  /** The connection to PostgreSQL, once there is one. */
  client: PoolClient | undefined;
  /** Actions to run just before the commit. */
  readonly beforeCommit: (() => Promise<void>)[] = [];
  /** Actions to run once the transaction is committed. */
  readonly afterCommit: (() => void)[] = [];
  /** Context of the work that made it. The statement that opens it may come later, in another context. */
  readonly context = currentContext();
  /** Code that began it outside requests: a scheduled method, a handler of events, a command. */
  readonly place = this.context ? undefined : callerPlace();
  hasEnded = false;
  /** True if its work does not know that the transaction has ended. */
  isAbandoned = false;
  /** Numbers of actions that there were when the transaction, and each savepoint that is open, began. */
  private readonly begun: [before: number, after: number][] = [];

  /**
   * @param isByHand whether a feature began it on a query runner of its own: work that outlives it is not part of it
   * @param isolation PostgreSQL's default unless given; SQLite has no weaker one than the strongest
   * @param atBegin runs as its first part
   */
  constructor(
    readonly runner: TransactionRunner,
    readonly isByHand: boolean,
    readonly isolation: IsolationLevel | undefined,
    readonly atBegin?: () => Promise<void>,
  ) {
    this.isOpen = isByHand;
  }

  /** Number of transactions that are open: one, and its savepoints. */
  get depth(): number {
    return this.begun.length;
  }

  /** @throws Error when a savepoint is to have an isolation level that the transaction lacks */
  assertIsolation(wanted: IsolationLevel | undefined): void {
    const { isolation = 'READ COMMITTED' } = this;
    if (wanted === undefined || LEVELS.indexOf(wanted) <= LEVELS.indexOf(isolation)) return;
    throw new Error(
      `A nested transaction has the isolation level of the outer one, ${isolation}: request ${wanted} there.`,
    );
  }

  /** Ends it while its work may go on. */
  abandon(): void {
    this.isAbandoned = true;
    this.hasEnded = true;
  }

  /** Notes that it, or a savepoint in it, has begun. */
  begin(): void {
    this.begun.push([this.beforeCommit.length, this.afterCommit.length]);
  }

  /** Notes that the innermost savepoint, or the whole, is committed. */
  commit(): void {
    this.begun.pop();
    this.hasEnded = this.depth === 0;
  }

  /** Notes that the innermost savepoint, or the whole, is undone, and forgets the actions that it asked for. */
  rollBack(): void {
    const [before, after] = this.begun.pop() ?? [0, 0];
    this.beforeCommit.length = before;
    this.afterCommit.length = after;
    this.hasEnded = this.depth === 0;
  }
}

/** A query runner as transactions need it. */
export interface TransactionRunner extends NestingRunner {
  /** The transaction that is open on it. */
  transaction: Transaction | undefined;
  /** Notes that something is asked of it. */
  touch(): void;
  /**
   * Gives the connection back. In a transaction of {@link Transactions}, `release` does nothing, because whatever asks for a runner
   * within gets this one.
   */
  end(): Promise<void>;
}

/** Marks the beginning of a transaction, whose own statements do not wait for it. */
class Beginning {
  constructor(readonly transaction: Transaction) {}
}

/** The transactions of a data source. Each travels by AsyncLocalStorage: whatever runs inside one is part of it. */
export class Transactions {
  private readonly storage = new AsyncLocalStorage<Transaction | Beginning>();
  private readonly span;

  constructor(
    private readonly engine: Engine,
    private readonly newRunner: () => TransactionRunner,
  ) {
    this.span = databaseSpan(engine, {});
  }

  /** The transaction in progress, if any. @throws Error for work that goes on after its transaction, which did not await it */
  current(): Transaction | undefined {
    const transaction = this.storage.getStore();
    if (!transaction || transaction instanceof Beginning) return undefined;
    if (transaction.isByHand && !transaction.isAbandoned) {
      // Before it has begun, this is work that the function which begins it did not await: a transaction beside it.
      return transaction.hasEnded || transaction.depth === 0 ? undefined : transaction;
    }
    if (!transaction.hasEnded) return transaction;
    // Another caller has its connection by now, and may have begun a transaction on it.
    throw new Error(ENDED);
  }

  /**
   * Begins a transaction at its first use: before that, its work holds no connection.
   *
   * @returns undefined when it has begun
   */
  open(transaction: Transaction): Promise<void> | undefined {
    if (transaction.isOpen) return undefined;
    const store = this.storage.getStore();
    if (store instanceof Beginning && store.transaction === transaction) return undefined;
    if (transaction.hasEnded) return Promise.reject(new Error(ENDED));
    const begin = () => this.storage.run(new Beginning(transaction), () => this.begin(transaction));
    return (transaction.opening ??= transaction.context ? inContext(transaction.context, begin) : begin());
  }

  private async begin(transaction: Transaction): Promise<void> {
    const { runner, isolation, atBegin } = transaction;
    try {
      const connection: unknown = await runner.connect();
      if (this.engine === 'postgres') transaction.client = connection as PoolClient;
      await runner.startTransaction(isolation);
    } catch (error) {
      throw translateDriverError(error);
    }
    transaction.isOpen = true;
    if (atBegin) await this.storage.run(transaction, atBegin);
  }

  /** Makes the rest of the asynchronous function that calls it part of a transaction begun by hand. */
  enter(runner: TransactionRunner, isolation: IsolationLevel | undefined): Transaction {
    const transaction = new Transaction(runner, true, isolation);
    this.storage.enterWith(transaction);
    return transaction;
  }

  /**
   * Runs the work in a new transaction, which begins at its first statement. Work that loses against other transactions is run
   * again, a few times at most.
   *
   * @param atBegin runs in it ahead of that statement
   */
  run<T>(
    work: (manager: EntityManager) => Promise<T>,
    isolation?: IsolationLevel,
    atBegin?: () => Promise<void>,
  ): Promise<T> {
    return inSpan(this.span, async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.runOnce(work, isolation, atBegin);
        } catch (error) {
          if (!(await mayRetry(error, attempt))) throw translateDriverError(error);
        }
      }
    });
  }

  private async runOnce<T>(
    work: (manager: EntityManager) => Promise<T>,
    isolation: IsolationLevel | undefined,
    atBegin: (() => Promise<void>) | undefined,
  ): Promise<T> {
    const runner = this.newRunner();
    const transaction = new Transaction(runner, false, isolation, atBegin);
    // TypeORM, which begins one of its own else, need not know that nothing was asked of it so far.
    Object.assign(runner, { transaction, isTransactionActive: true });
    let result: T;
    try {
      result = await this.within(transaction, work);
      if (transaction.opening) {
        await transaction.opening;
        assertAllEnded(runner, 1);
        await runner.commitTransaction();
      }
    } finally {
      // A statement that nobody awaits may have it begin still.
      await transaction.opening?.catch(() => undefined);
      await runner.end();
    }
    runCommitted(transaction.afterCommit);
    return result;
  }

  private async within<T>(
    transaction: Transaction,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.storage.run(transaction, async () => {
        const result = await work(transaction.runner.manager);
        await runAll(transaction.beforeCommit);
        return result;
      });
    } finally {
      transaction.hasEnded = true;
    }
  }

  /**
   * Runs a part of the transaction in progress that may fail: when the part throws, its changes are undone, and the transaction
   * goes on. Outside one, the part is a transaction of its own.
   */
  async attempt<T>(work: (manager: EntityManager) => Promise<T>, isolation?: IsolationLevel): Promise<T> {
    const transaction = this.current();
    if (!transaction) return this.run(work, isolation);
    const { runner } = transaction;
    transaction.assertIsolation(isolation);
    try {
      await this.open(transaction);
      return await inTransaction(runner, () => work(runner.manager), isolation);
    } catch (error) {
      throw translateDriverError(error);
    }
  }
}

/** Runs actions in their order; one may bring up further ones. */
export async function runAll(actions: readonly (() => Promise<void>)[]): Promise<void> {
  for (const action of actions) await action();
}

/**
 * Runs actions after their commit. One that fails is logged, and fails alone: the work is stored, so its caller must not try
 * again.
 */
export function runCommitted(actions: readonly (() => void)[]): void {
  for (const action of actions) {
    try {
      action();
    } catch (error) {
      new Logger('Transactions').error(
        `An action after a commit failed: ${String(error)}`,
        error instanceof Error ? error.stack : undefined,
      );
    }
  }
}
