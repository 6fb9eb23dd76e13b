import { Injectable } from '@nestjs/common';
import { In, IsNull, Like, MoreThan, type Repository, type SelectQueryBuilder } from 'typeorm';
import { Database } from '../database/database';
import { countRowsUpTo } from '../database/entities/count-up-to';
import { EntityRepository, type New } from '../database/entities/entity-repository';
import { RowsInsertion } from '../database/entities/rows-insertion';
import { type FoundRows, LogSearch, type LogWindow } from '../database/entities/log-search';
import type { Condition, Where } from '../database/statements/where';
import { DAY_MS } from '../values/calendar';
import { AuditEvent } from './audit-event.entity';
import { PersonalMembers } from './personal-members.entity';
import type { Subject } from './subject';

/** Conditions for events; one that is not set matches every event. */
export interface AuditFilter extends Omit<Where<AuditEvent>, 'at'> {
  readonly at?: Pick<Condition<Date>, 'from' | 'before'> | undefined;
}

/** An event to store, with what in it identifies a person besides name and address of the operator. */
export type RecordedEvent = New<AuditEvent> & {
  /** Members of before and after. */
  readonly personal?: readonly string[] | undefined;
  /** Subject that they are erased with; that of the event unless given. */
  readonly person?: Subject | undefined;
};

/** Milliseconds by which ids and times of events may be out of order: clocks differ, and transactions take their time. */
const DISORDER_MS = DAY_MS;

/** The record of changes in the database. */
@Injectable()
export class AuditEventsRepository {
  private readonly events = new EntityRepository(this.database, AuditEvent);
  private readonly members = new EntityRepository(this.database, PersonalMembers);
  private readonly newMembers = new RowsInsertion(
    this.database,
    this.members.repository.metadata.columns,
    'RETURNING 1',
  );
  private readonly log = new LogSearch(this.database, AuditEvent, [
    ['subjectType', 'subjectId'],
    ['actor'],
    ['whole'],
  ]);

  constructor(private readonly database: Database) {}

  /** Stores an event. @returns its id */
  async insert(event: RecordedEvent): Promise<bigint> {
    const { id } = await this.events.insert(event);
    await this.notePersonal([event], [id]);
    return id;
  }

  /**
   * Stores events.
   *
   * @param keys ids from {@link nextIds}; the table assigns them unless given
   * @returns their ids
   */
  async insertMany(events: readonly RecordedEvent[], keys?: readonly bigint[]): Promise<bigint[]> {
    const ids = (await this.events.insertMany(events, keys)).map(({ id }) => id);
    await this.notePersonal(events, ids);
    return ids;
  }

  /** Draws the ids of events to store in the transaction in progress, ascending. */
  async nextIds(count: number): Promise<bigint[]> {
    return (await this.events.nextKeys(count)).sort((one, other) => (one < other ? -1 : 1));
  }

  private async notePersonal(events: readonly RecordedEvent[], ids: readonly bigint[]): Promise<void> {
    const rows = events.flatMap(({ personal = [], person, subjectType, subjectId }, index) => {
      const { type, id } = person ?? { type: subjectType, id: subjectId };
      const eventId = ids[index] as bigint;
      return personal.length > 0
        ? [{ eventId, subjectType: type, subjectId: id, members: personal.join() }]
        : [];
    });
    await this.newMembers.insert(rows);
  }

  /** Returns events newest first, however long it takes to find them. */
  async list(filter: AuditFilter, { before, limit }: LogWindow): Promise<AuditEvent[]> {
    const items: AuditEvent[] = [];
    let from = before;
    do {
      const found = await this.searchPart(filter, { before: from, limit: limit - items.length });
      items.push(...found.items);
      from = found.lookedBackTo;
    } while (from !== undefined);
    return items;
  }

  /** Searches a bounded part of the record, however many events there are and whatever the filter is. */
  async searchPart(filter: AuditFilter, window: LogWindow): Promise<FoundRows<AuditEvent>> {
    const first = filter.at?.from && (await this.firstId(filter.at.from));
    return this.log.search(filter, window, first);
  }

  /** Returns the events with these ids that are still there, oldest first. */
  withIds(ids: readonly bigint[]): Promise<AuditEvent[]> {
    return this.events.repository.find({ where: { id: In(ids) }, order: { id: 'ASC' } });
  }

  /** Locks an event: no other transaction does the same before the one in progress ends. */
  async lock(id: bigint): Promise<void> {
    await this.events.findOneForUpdate(id);
  }

  /** Returns the events after one, of no whole, whose subjects are of a type and have ids with a beginning; oldest first. */
  since(id: bigint, type: string, beginning: string): Promise<AuditEvent[]> {
    return this.events.repository.find({
      where: { whole: IsNull(), id: MoreThan(id), subjectType: type, subjectId: Like(`${beginning}%`) },
      order: { id: 'ASC' },
    });
  }

  /** Returns events that hold personal values of a subject but are not about it, and that it did not make, oldest first. */
  aboutOthers(subject: Subject, after: bigint, limit: number): Promise<AuditEvent[]> {
    return this.database.scan(AuditEvent, (events) =>
      selectAboutOthers(events, subject)
        .andWhere('event.id > :after', { after })
        .orderBy('event.id')
        .limit(limit)
        .getMany(),
    );
  }

  /** Counts the events of {@link aboutOthers}, up to a limit. */
  countAboutOthers(subject: Subject, limit: number): Promise<number> {
    return this.database.scan(AuditEvent, (events) =>
      countRowsUpTo(selectAboutOthers(events, subject).select('event.id'), limit),
    );
  }

  /** Returns actor, action and subject type of the newest events. */
  recent(limit: number): Promise<Pick<AuditEvent, 'actor' | 'action' | 'subjectType'>[]> {
    return this.events.repository.find({
      select: { actor: true, action: true, subjectType: true },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** Returns the first event about a subject with an action, from a time on; if any. */
  async first({ type, id }: Subject, action: string, from = new Date(0)): Promise<AuditEvent | undefined> {
    const event = await this.database.scan(AuditEvent, (events) =>
      events
        .createQueryBuilder('event')
        .where(`event.subjectType = :type AND ${among('event.subjectId', ':id')}`, { type, id })
        .andWhere('event.action = :action AND event.at >= :from', { action, from })
        .orderBy('event.subjectType')
        .addOrderBy('event.subjectId')
        .addOrderBy('event.id')
        .limit(1)
        .getOne(),
    );
    return event ?? undefined;
  }

  /** Returns events of an action that belong to a whole, oldest first. */
  partsOf(whole: bigint, action: string, after: bigint, limit: number): Promise<AuditEvent[]> {
    return this.events.repository
      .createQueryBuilder('event')
      .where(among('event.whole', ':whole'), { whole })
      .andWhere('event.action = :action AND event.id > :after', { action, after })
      .orderBy('event.whole')
      .addOrderBy('event.id')
      .limit(limit)
      .getMany();
  }

  /** Returns the newest event that belongs to each of some wholes, if any. */
  async newestParts(wholes: readonly bigint[]): Promise<AuditEvent[]> {
    if (wholes.length === 0) return [];
    return this.database.scan(AuditEvent, (events) => {
      const newest = events
        .createQueryBuilder('part')
        .select('part.id')
        .where(among('part.whole', 'head.id'))
        .orderBy('part.whole', 'DESC')
        .addOrderBy('part.id', 'DESC')
        .limit(1);
      const ids = events
        .createQueryBuilder('head')
        .select(`(${newest.getQuery()})`)
        .where('head.id IN (:...wholes)');
      return events
        .createQueryBuilder('event')
        .where(`event.id IN (${ids.getQuery()})`, { wholes })
        .getMany();
    });
  }

  /** Joins events that belong to no whole yet to one. */
  async join(ids: readonly bigint[], whole: bigint): Promise<void> {
    await this.events.repository.update({ id: In(ids), whole: IsNull() }, { whole });
  }

  /** Returns the id of the newest event before an instant, if any. */
  async newestBefore(before: Date): Promise<bigint | undefined> {
    return this.database.scan(AuditEvent, async (events) => {
      const event = await events
        .createQueryBuilder('event')
        .where('event.at < :before', { before })
        .orderBy('event.at', 'DESC')
        .addOrderBy('event.id', 'DESC')
        .limit(1)
        .getOne();
      return event?.id;
    });
  }

  /** Deletes a batch of the events up to an id, with what belongs to them. @returns true if there may be more */
  async deleteBatchUpTo(id: bigint): Promise<boolean> {
    const moreMembers = await this.members.deleteBatch('eventId', id + 1n);
    const moreEvents = await this.events.deleteBatch('id', id + 1n);
    return moreMembers || moreEvents;
  }

  /** Returns an id below which no event from a time on can be, if any: by time, whose index finds it. */
  private firstId(from: Date): Promise<bigint | undefined> {
    return this.newestBefore(new Date(from.getTime() - DISORDER_MS));
  }
}

/** The condition that a column has a value. Twice, because PostgreSQL walks through all events where it takes it for one of =. */
function among(column: string, value: string): string {
  return `${column} IN (${value}, ${value})`;
}

function selectAboutOthers(
  events: Repository<AuditEvent>,
  { type, id }: Subject,
): SelectQueryBuilder<AuditEvent> {
  const ofSubject = events.manager
    .createQueryBuilder(PersonalMembers, 'held')
    .select('held.eventId')
    .where('held.subjectType = :type AND held.subjectId = :id')
    .getQuery();
  return events
    .createQueryBuilder('event')
    .where(`event.id IN (${ofSubject})`, { type, id })
    .andWhere('NOT (event.subjectType = :type AND event.subjectId = :id)')
    .andWhere('event.actor <> :id');
}
