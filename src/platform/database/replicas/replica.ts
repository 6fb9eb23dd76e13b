import { type ClientBase, Pool } from 'pg';
import { type DatabaseSettings, poolWaitMs, postgresPoolOptions } from '../driver/data-source';
import { driverCode } from '../driver/driver-errors';
import type { Statement, StatementValues } from '../statements/statement';
import { SharedQuestion } from './shared-question';
import { clusterOf, isAtLeast, replayedPosition, type WalPosition } from './wal-position';
import { wait } from '../../values/wait';

/** Longest wait of a read for a replica that is a little behind, and the pause between two checks, in milliseconds. */
const PATIENCE_MS = 50;
const STEP_MS = 2;

/** Longest time that a replica may take for any reply, in milliseconds; after that the primary is asked instead. */
const REPLY_TIMEOUT_MS = 1_000;

/**
 * Time for which a replica counts as one without a new check, in milliseconds: one that is promoted takes writes of its own.
 */
const TRUSTED_MS = 1_000;

/** SQLSTATE of a statement that was in the way of changes the replica replays; the replica itself is well. */
const RECOVERY_CONFLICT = '40001';

/** Why a replica serves no reads, as it says itself: one sentence. */
export class ReplicaUnfit extends Error {}

/** One streaming replica: its connections, and how far it has come. */
export class Replica {
  readonly pool: Pool;
  /** Position in the log that the replica reported last. */
  private replayed: WalPosition = { timeline: 0, offset: 0n };
  private readAt = -Infinity;
  private readonly progress = new SharedQuestion(() => this.readPosition(this.pool));

  /**
   * @param name told in logs and metrics in place of its address
   * @param isKept true if its connections keep the statements that they have prepared
   */
  constructor(
    readonly name: string,
    url: string,
    settings: DatabaseSettings,
    private readonly isKept: boolean,
  ) {
    this.pool = new Pool({
      ...postgresPoolOptions(settings),
      connectionString: url,
      connectionTimeoutMillis: Math.min(poolWaitMs(settings), REPLY_TIMEOUT_MS),
      // A limit of the driver, which does not wait for a server that hangs.
      query_timeout: REPLY_TIMEOUT_MS,
      // Not onConnect: after a failure that waits until the server closes, which one that hangs never does.
      verify: (client, done) => void this.verify(client, done),
    });
    // The effect of a lost idle connection shows when the next one is made.
    this.pool.on('error', () => undefined);
  }

  /**
   * Resolves to whether the replica has reached a position of the primary; waits a moment for it.
   *
   * @throws errors of the driver, or ReplicaUnfit
   */
  async reaches(position: WalPosition): Promise<boolean> {
    const now = performance.now();
    if (isAtLeast(this.replayed, position) && now - this.readAt < TRUSTED_MS) return true;
    const deadline = now + PATIENCE_MS;
    while (!isAtLeast(await this.progress.ask(), position)) {
      if (performance.now() > deadline) return false;
      await wait(STEP_MS);
    }
    return true;
  }

  /**
   * Resolves to whether the replica may serve reads: it belongs to this primary and has reached the position.
   *
   * @throws errors of the driver, or ReplicaUnfit
   */
  async isFit(position: WalPosition, cluster: string | undefined): Promise<boolean> {
    if ((await clusterOf(this.pool)) !== cluster) {
      throw new ReplicaUnfit('It belongs to another database cluster than the primary.');
    }
    return this.reaches(position);
  }

  run<Row>(statement: Statement<Row>, values: StatementValues): Row[] | Promise<Row[]> {
    return statement.run(values, undefined, this.pool);
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  /**
   * Checks a new connection: a server that was started again, or another one at its address, may be further back than was
   * known.
   */
  private async verify(client: ClientBase, done: (fault?: Error) => void): Promise<void> {
    const known = this.replayed;
    const verifying = this.readPosition(client).then(
      ({ offset }) =>
        offset < known.offset ? new ReplicaUnfit('It is further behind than before.') : undefined,
      (error: unknown) => error as Error,
    );
    done(await verifying);
  }

  private async readPosition(connection: Pool | ClientBase): Promise<WalPosition> {
    const position = await replayedPosition(connection, this.isKept);
    if (!position) throw new ReplicaUnfit('It is no longer in recovery: it was promoted.');
    this.replayed = position;
    this.readAt = performance.now();
    return position;
  }
}

/** Tells whether a read failed only because it was in the way of changes from the primary; the replica itself may be sound. */
export function isRecoveryConflict(error: unknown): boolean {
  return driverCode(error) === RECOVERY_CONFLICT;
}
