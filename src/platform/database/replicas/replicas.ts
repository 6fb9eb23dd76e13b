import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { InjectSettings } from '../../config/settings.module';
import type { Settings } from '../../config/settings';
import { InjectLogger, type Logger } from '../../logging/logging.module';
import { Metrics } from '../../telemetry/metrics';
import { keepsStatements, poolOf } from '../driver/data-source';
import type { Statement, StatementValues } from '../statements/statement';
import { isRecoveryConflict, Replica, ReplicaUnfit } from './replica';
import { SharedQuestion } from './shared-question';
import { clusterOf, flushedPosition } from './wal-position';

/**
 * Time for which a failed replica is left alone before the next check, in milliseconds. One that is only late is checked
 * sooner, each time after twice as long: most have caught up at once.
 */
const LEFT_OUT_MS = 2_000;
const LATE_MS = 50;

/** A replica and its state. */
interface WatchedReplica {
  readonly replica: Replica;
  isServing: boolean;
  /** Pause before the next check of a late replica, in milliseconds. */
  lateMs: number;
  /** State that the log has reported. */
  reported: 'nothing' | 'serving' | 'left out' | 'unfit';
  /** Timer of the next check. */
  timer?: NodeJS.Timeout;
}

/**
 * Streaming replicas, which take reads off the primary.
 *
 * A read is served by a replica only once that has replayed everything the primary had flushed when the read was asked
 * for. So it sees every write that was acknowledged before, by whatever node, and no client has to carry anything along. What no
 * replica can serve in time, the primary serves.
 */
@Injectable()
export class Replicas implements OnApplicationShutdown {
  private readonly places: readonly WatchedReplica[];
  private readonly position = new SharedQuestion(() =>
    flushedPosition(poolOf(this.dataSource), keepsStatements(this.dataSource)),
  );
  private turn = 0;
  private hasBegun = false;
  private hasEnded = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
    @InjectSettings() settings: Settings,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.places = settings.databaseReplicaUrls.map((url, index) => ({
      replica: new Replica(`replica-${index + 1}`, url, settings, keepsStatements(dataSource)),
      isServing: false,
      lateMs: LATE_MS,
      reported: 'nothing',
    }));
  }

  get areThere(): boolean {
    return this.places.length > 0;
  }

  get all(): readonly Replica[] {
    return this.places.map(({ replica }) => replica);
  }

  async onApplicationShutdown(): Promise<void> {
    this.hasEnded = true;
    for (const { timer } of this.places) clearTimeout(timer);
    await Promise.all(this.places.map(({ replica }) => replica.close()));
  }

  /**
   * Runs a SELECT on a replica that has everything the primary had when this was called.
   *
   * @returns undefined when the primary is to run it
   * @throws what the driver throws when the primary cannot say what it has: then no replica can be known to be up to date
   */
  async read<Row>(statement: Statement<Row>, values: StatementValues): Promise<Row[] | undefined> {
    const place = this.next();
    const rows = place && (await this.readOn(place, statement, values));
    this.metrics.replicaReads.add(rows ? 'replica' : 'primary');
    return rows;
  }

  private async readOn<Row>(place: WatchedReplica, statement: Statement<Row>, values: StatementValues) {
    const position = await this.position.ask();
    try {
      if (!position) return undefined;
      if (await place.replica.reaches(position)) return await place.replica.run(statement, values);
      this.leaveOut(place);
    } catch (error) {
      if (!isRecoveryConflict(error)) this.leaveOut(place, error);
    }
    return undefined;
  }

  /** The next that serves, in turn. */
  private next(): WatchedReplica | undefined {
    this.begin();
    for (let tried = 0; tried < this.places.length; tried++) {
      this.turn = (this.turn + 1) % this.places.length;
      const place = this.places[this.turn];
      if (place?.isServing) return place;
    }
    return undefined;
  }

  /** Begins at the first read: commands of the CLI that read nothing need no connection to a replica. */
  private begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    for (const place of this.places) void this.lookAt(place);
  }

  private async lookAt(place: WatchedReplica): Promise<void> {
    place.timer = undefined;
    const primary = poolOf(this.dataSource);
    const asked = Promise.all([this.position.ask(), clusterOf(primary)]);
    const [position, cluster] = await asked.catch(() => []);
    // Without a primary nothing can be said about its replicas.
    if (!position) return this.lookAgain(place, LEFT_OUT_MS);
    try {
      if (await place.replica.isFit(position, cluster)) this.takeIn(place);
      else this.leaveOut(place);
    } catch (error) {
      this.leaveOut(place, error);
    }
  }

  private takeIn(place: WatchedReplica): void {
    place.isServing = true;
    place.lateMs = LATE_MS;
    if (place.reported === 'serving') return;
    place.reported = 'serving';
    this.logger.info({ replica: place.replica.name }, 'A replica serves reads.');
  }

  /** @param error what was wrong; nothing when it is only late */
  private leaveOut(place: WatchedReplica, error?: unknown): void {
    place.isServing = false;
    const pauseMs = error === undefined ? place.lateMs : LEFT_OUT_MS;
    place.lateMs = Math.min(2 * pauseMs, LEFT_OUT_MS);
    const state = error instanceof ReplicaUnfit ? 'unfit' : 'left out';
    // Why it is unfit is reported after failures, too, but not the other way round: both can come in turn.
    const isReported = place.reported === 'unfit' || place.reported === state;
    if (pauseMs === LEFT_OUT_MS && !isReported && !this.hasEnded) {
      place.reported = state;
      const { name } = place.replica;
      if (error === undefined) this.logger.warn({ replica: name }, 'A replica is behind and gets no reads.');
      else this.logger.warn({ replica: name, err: error }, 'A replica failed and gets no reads.');
    }
    this.lookAgain(place, pauseMs);
  }

  private lookAgain(place: WatchedReplica, pauseMs: number): void {
    if (this.hasEnded) return;
    place.timer ??= setTimeout(() => void this.lookAt(place), pauseMs).unref();
  }
}
