import { Injectable } from '@nestjs/common';
import { In, Like, MoreThan, type Repository, type SelectQueryBuilder } from 'typeorm';
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
  private readonly log = new LogSearch(this.database, AuditEvent, [['subjectType', 'subjectId'], ['actor']]);

  constructor(private readonly database: Database) {}

  /** Stores an event. @returns its id */
  async insert(event: RecordedEvent): Promise<bigint> {
    const { id } = await this.events.insert(event);
    await this.notePersonal([event], [id]);
    return id;
  }

  /** Stores events. @returns their ids */
  async insertMany(events: readonly RecordedEvent[]): Promise<bigint[]> {
    const ids = (await this.events.insertMany(events)).map(({ id }) => id);
    await this.notePersonal(events, ids);
    return ids;
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

  /** Returns the events after one whose subjects are of a type and have ids with a beginning, oldest first. */
  since(id: bigint, type: string, beginning: string): Promise<AuditEvent[]> {
    return this.events.repository.find({
      where: { id: MoreThan(id), subjectType: type, subjectId: Like(`${beginning}%`) },
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

  /** Returns the first events of an action in a period, `to` excluded, oldest first: by time, whose index finds them. */
  first(action: string, from: Date, to: Date, limit: number): Promise<AuditEvent[]> {
    return this.database.scan(AuditEvent, (events) =>
      events
        .createQueryBuilder('event')
        .where('event.at >= :from AND event.at < :to AND event.action = :action', { from, to, action })
        .orderBy('event.at')
        .addOrderBy('event.id')
        .limit(limit)
        .getMany(),
    );
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
