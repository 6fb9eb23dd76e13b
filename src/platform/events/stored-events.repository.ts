import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, In, IsNull, MoreThan, Not } from 'typeorm';
import { Database } from '../database/database';
import { DatabaseClock } from '../database/database-clock';
import { EntityRepository } from '../database/entities/entity-repository';
import { parameter } from '../database/statements/statement';
import type { Lease } from '../jobs/claimed-work';
import { type ClaimedRow, type ClaimStatements, claimStatements } from './claim-statements';
import { unclaimed } from '../database/entities/unclaimed';
import { StoredEvent } from './stored-event.entity';

/** An event that this process is to hand to its handler now. */
export type ClaimedEvent = Pick<StoredEvent, 'id' | 'event' | 'handler' | 'payload' | 'attempts' | 'error'>;

/** Most events that a process takes at a time. */
export interface ClaimLimits {
  readonly subjects: number;
  readonly ofSubject: number;
}

/** Most of the oldest events that are counted: all events there are while handlers keep up. */
export const EVENTS_PER_COUNT = 100_000;

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
  private readonly claims = new Map<number, ClaimStatements>();

  constructor(
    database: Database,
    private readonly clock: DatabaseClock,
  ) {
    super(database, StoredEvent);
  }

  /**
   * Takes events that are due, oldest first: the first of each consumer and subject, and unless that has been tried before those
   * behind it, as far as none of them has. No other process gets them before the lease ends.
   *
   * @param handlers names of the handlers that this process has
   * @returns for each subject its events in order
   */
  async claim(
    handlers: readonly string[],
    { subjects, ofSubject }: ClaimLimits,
    lease: Lease,
  ): Promise<ClaimedEvent[][]> {
    const statements = this.claimOf(handlers.length);
    const names = Object.fromEntries(handlers.map((name, index) => [`handler${index}`, name]));
    const firsts = await this.database.query(statements.firsts, { ...lease, ...names, subjects });
    return Promise.all(
      firsts.sort(byId).map(async (first) => {
        const { id, consumer, subject, next } = first;
        if (next === null || Number(first.attempts) > 1) return [claimed(first)];
        // Nobody else takes them while this process has the first of their subject.
        const values = { ...lease, ...names, consumer, subject, id, limit: ofSubject - 1 };
        const others = await this.database.query(statements.others, values);
        return [first, ...others.sort(byId)].map(claimed);
      }),
    );
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

  /**
   * Deletes an event whose handler has succeeded.
   *
   * @returns false if another process has taken it over
   */
  async finish(id: bigint, lockedBy: string): Promise<boolean> {
    const deleted = await this.database.query(this.deletion, { id, lockedBy });
    return deleted.length > 0;
  }

  /** Gives back events that were claimed and not begun: the claim counted an attempt that there was not. */
  async release(ids: readonly bigint[], lockedBy: string): Promise<void> {
    await this.repository.update(
      { id: In([...ids]), lockedBy },
      { lockedBy: null, lockedUntil: null, attempts: () => '"attempts" - 1' },
    );
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
   * Makes events due at once whose handler has failed, whether they wait for their next attempt or were given up.
   *
   * @param id of one event, which need not have been tried; all that have failed unless given
   * @returns the number of events, without those that a handler has at the moment
   */
  async retry(id?: bigint): Promise<number> {
    const now = await this.clock.now();
    const { affected } = await this.repository.update(retriable(now, id), {
      failedAt: null,
      attempts: 0,
      dueAt: now,
      error: null,
    });
    return affected ?? 0;
  }

  /** Counts the events that {@link retry} would retry. */
  async countRetriable(id?: bigint): Promise<number> {
    return this.repository.countBy(retriable(await this.clock.now(), id));
  }

  /** Deletes an event, unless a handler has it at the moment. @returns true if it was deleted */
  async discard(id: bigint): Promise<boolean> {
    const { affected } = await this.repository.delete(unclaimed<StoredEvent>({ id }, await this.clock.now()));
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

  private claimOf(handlers: number): ClaimStatements {
    let statements = this.claims.get(handlers);
    if (!statements) this.claims.set(handlers, (statements = claimStatements(this.database, handlers)));
    return statements;
  }
}

function claimed({ id, event, handler, payload, attempts, error }: ClaimedRow): ClaimedEvent {
  return { id, event, handler, payload, attempts: Number(attempts), error };
}

function byId(one: ClaimedRow, other: ClaimedRow): number {
  return one.id < other.id ? -1 : 1;
}

/** Conditions of the events to retry: one, or all that have failed, unless a handler has them at the moment. */
function retriable(now: Date, id: bigint | undefined): FindOptionsWhere<StoredEvent>[] {
  const which =
    id === undefined
      ? [{ failedAt: Not(IsNull()) }, { error: Not(IsNull()), dueAt: MoreThan(now) }]
      : [{ id }];
  return which.flatMap((where) => unclaimed<StoredEvent>(where, now));
}
