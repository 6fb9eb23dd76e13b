import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, In, IsNull, LessThan, MoreThan, Not } from 'typeorm';
import { Database } from '../database/database';
import { DatabaseClock } from '../database/database-clock';
import { EntityRepository } from '../database/entities/entity-repository';
import { parameter, type Statement } from '../database/statements/statement';
import type { Lease } from '../jobs/claimed-work';
import { StoredEvent } from './stored-event.entity';

/** An event that this process is to hand to its handler now. */
export type ClaimedEvent = Pick<StoredEvent, 'id' | 'event' | 'handler' | 'payload' | 'attempts'>;

/** Most of the oldest events that are counted: all events there are while handlers keep up. */
export const EVENTS_PER_COUNT = 100_000;

/** Row as the engines return it: SQLite returns every integer as a bigint. */
type ClaimedRow = Omit<ClaimedEvent, 'attempts'> & { readonly attempts: number | bigint };

/** Events that a handler has still to receive. */
export interface HandlerBacklog {
  readonly handler: string;
  /** Events that are tried, or are to be. */
  readonly waiting: number;
  /** Events that an operator has to decide about. */
  readonly failed: number;
  /** Time at which the oldest of them was published. */
  readonly oldest: Date;
}

/** Stored events in the database. */
@Injectable()
export class StoredEventsRepository extends EntityRepository<StoredEvent> {
  private readonly claims = new Map<number, Statement<ClaimedRow>>();

  constructor(
    database: Database,
    private readonly clock: DatabaseClock,
  ) {
    super(database, StoredEvent);
  }

  /**
   * Takes events that are due, oldest first, and only the first of each consumer and subject. No other process gets them before
   * the lease ends.
   *
   * @param handlers names of the handlers that this process has
   * @param limit most events to take
   */
  async claim(handlers: readonly string[], limit: number, lease: Lease): Promise<ClaimedEvent[]> {
    const names = Object.fromEntries(handlers.map((name, index) => [`handler${index}`, name]));
    const rows = await this.database.query(this.claimOf(handlers.length), { ...lease, ...names, limit });
    return rows
      .map((row) => ({ ...row, attempts: Number(row.attempts) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Extends the leases of events that a process is delivering. */
  async renew(ids: readonly bigint[], lockedBy: string, lockedUntil: Date): Promise<void> {
    await this.repository
      .createQueryBuilder()
      .update()
      .set({ lockedUntil })
      .where('"id" IN (:...ids) AND "locked_by" = :lockedBy', { ids: [...ids], lockedBy })
      .execute();
  }

  /** Deletes an event whose handler has succeeded, unless another process has taken it over. */
  async finish(id: bigint, lockedBy: string): Promise<void> {
    await this.database.query(this.deletion, { id, lockedBy });
  }

  /**
   * Stores the error of a handler with the time of the next attempt, or with a `failedAt` after which it is not tried again.
   */
  async giveBack(
    id: bigint,
    lockedBy: string,
    outcome: Readonly<Pick<StoredEvent, 'error' | 'dueAt' | 'failedAt'>>,
  ): Promise<void> {
    await this.repository.update({ id, lockedBy }, { ...outcome, lockedBy: null, lockedUntil: null });
  }

  /** Counts the events that handlers have still to receive, by handler: of the oldest {@link EVENTS_PER_COUNT}. */
  backlogs(): Promise<HandlerBacklog[]> {
    return this.database.scan(StoredEvent, async (events) => {
      const rows = await events.manager
        .createQueryBuilder()
        .from(
          (oldest) =>
            oldest
              .select('stored.id', 'id')
              .addSelect('stored.handler', 'handler')
              .addSelect('stored.failedAt', 'failedAt')
              .from(StoredEvent, 'stored')
              .orderBy('stored.id')
              .limit(EVENTS_PER_COUNT),
          'seen',
        )
        .select('"seen"."handler"', 'handler')
        .addSelect('COUNT(*)', 'all')
        .addSelect('COUNT("seen"."failedAt")', 'failed')
        .addSelect('MIN("seen"."id")', 'oldest')
        .groupBy('"seen"."handler"')
        .orderBy('"seen"."handler"')
        .getRawMany<{ handler: string; all: string; failed: string; oldest: string }>();
      const oldest = await events.findBy({ id: In(rows.map((row) => BigInt(row.oldest))) });
      return rows.map(({ handler, all, failed }) => ({
        handler,
        waiting: Number(all) - Number(failed),
        failed: Number(failed),
        oldest: oldest.find((event) => event.handler === handler)?.publishedAt ?? new Date(),
      }));
    });
  }

  /** Returns events that are tried, or are to be, oldest first: of each subject all that come before another. */
  waiting(limit: number): Promise<StoredEvent[]> {
    return this.repository.find({ where: { failedAt: IsNull() }, order: { id: 'ASC' }, take: limit });
  }

  /** Returns events that are not tried any more, oldest first. */
  failed(limit: number): Promise<StoredEvent[]> {
    return this.repository.find({ where: { failedAt: Not(IsNull()) }, order: { id: 'ASC' }, take: limit });
  }

  /**
   * Has events tried at once whose handler has failed, whether they wait for their next attempt or were given up.
   *
   * @param id of one event, which need not have been tried; all that have failed unless given
   * @returns the number of events, without those that a handler has at the moment
   */
  async retry(id?: bigint): Promise<number> {
    const now = await this.clock.now();
    const which =
      id === undefined
        ? [{ failedAt: Not(IsNull()) }, { error: Not(IsNull()), dueAt: MoreThan(now) }]
        : [{ id }];
    const { affected } = await this.repository.update(
      which.flatMap((where) => free(where, now)),
      { failedAt: null, attempts: 0, dueAt: now },
    );
    return affected ?? 0;
  }

  /** Deletes an event, unless a handler has it at the moment. @returns true if it was deleted */
  async discard(id: bigint): Promise<boolean> {
    const { affected } = await this.repository.delete(free({ id }, await this.clock.now()));
    return affected === 1;
  }

  private readonly deletion = this.database.prepare<object>(
    (manager) =>
      manager
        .createQueryBuilder()
        .delete()
        .from(StoredEvent)
        .where('"id" = :id AND "locked_by" = :lockedBy', {
          id: parameter('id'),
          lockedBy: parameter('lockedBy'),
        }),
    'RETURNING "id"',
    { isPipelined: true },
  );

  private claimOf(handlers: number): Statement<ClaimedRow> {
    let statement = this.claims.get(handlers);
    if (!statement) this.claims.set(handlers, (statement = this.prepareClaim(handlers)));
    return statement;
  }

  private prepareClaim(handlers: number): Statement<ClaimedRow> {
    const names = Array.from({ length: handlers }, (_, index) => `handler${index}`);
    const values = Object.fromEntries(
      ['lockedBy', 'lockedUntil', 'now', 'limit', ...names].map((name) => [name, parameter(name)]),
    );
    const due = `
      SELECT stored."id" FROM "stored_events" stored
      WHERE stored."failed_at" IS NULL AND stored."due_at" <= :now
        AND (stored."locked_until" IS NULL OR stored."locked_until" < :now)
        AND stored."handler" IN (${names.map((name) => `:${name}`).join(', ')})
        AND NOT EXISTS (
          SELECT 1 FROM "stored_events" earlier
          WHERE earlier."consumer" = stored."consumer" AND earlier."subject" = stored."subject"
            AND earlier."id" < stored."id" AND earlier."failed_at" IS NULL)
      ORDER BY stored."id" LIMIT :limit
      ${this.database.engine === 'postgres' ? 'FOR UPDATE OF stored SKIP LOCKED' : ''}`;
    return this.database.prepare(
      (manager) =>
        manager
          .createQueryBuilder()
          .update(StoredEvent)
          .set({
            lockedBy: () => ':lockedBy',
            lockedUntil: () => ':lockedUntil',
            attempts: () => '"attempts" + 1',
          })
          .where(`"id" IN (${due})`)
          .setParameters(values),
      'RETURNING "id", "event", "handler", "payload", "attempts"',
    );
  }
}

/** The events that meet a condition and that no handler has at the moment. */
function free(where: FindOptionsWhere<StoredEvent>, now: Date): FindOptionsWhere<StoredEvent>[] {
  return [
    { ...where, lockedBy: IsNull() },
    { ...where, lockedUntil: LessThan(now) },
  ];
}
