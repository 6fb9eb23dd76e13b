import { Injectable } from '@nestjs/common';
import { In, type Repository, type SelectQueryBuilder } from 'typeorm';
import { Database } from '../database/database';
import { countRowsUpTo } from '../database/entities/count-up-to';
import { EntityRepository } from '../database/entities/entity-repository';
import { type FoundRows, LogSearch, type LogWindow } from '../database/entities/log-search';
import type { Condition, Where } from '../database/statements/where';
import { AuditEvent } from './audit-event.entity';
import type { ConcealedEvent, RecordedEvent, Subject } from './committed-event';
import { PersonalValue } from './personal-value.entity';
import { PersonalValues } from './personal-values';

/** Conditions for events; one that is not set matches every event. */
export interface AuditFilter extends Omit<Where<AuditEvent>, 'at'> {
  readonly at?: Pick<Condition<Date>, 'from' | 'before'> | undefined;
}

/** Milliseconds by which ids and times of events may be out of order: clocks differ, and transactions take their time. */
const DISORDER_MS = 24 * 60 * 60 * 1_000;

/** The record of changes in the database. Its events cannot be changed. */
@Injectable()
export class AuditEventsRepository {
  private readonly events = new EntityRepository(this.database, AuditEvent);
  private readonly log = new LogSearch(this.database, AuditEvent, [['subjectType', 'subjectId'], ['actor']]);

  constructor(
    private readonly database: Database,
    private readonly personal: PersonalValues,
  ) {}

  /** Stores an event, and its personal values beside it. @returns its id */
  async insert(event: RecordedEvent): Promise<bigint> {
    const [concealed] = (await this.personal.conceal([event])) as [ConcealedEvent];
    const { id } = await this.events.insert(concealed.event);
    await this.personal.store(concealed.values.map((value) => ({ ...value, eventId: id })));
    return id;
  }

  /** Stores events like {@link insert}. @returns their ids */
  async insertMany(events: readonly RecordedEvent[]): Promise<bigint[]> {
    const concealed = await this.personal.conceal(events);
    const ids = (await this.events.insertMany(concealed.map(({ event }) => event))).map(({ id }) => id);
    await this.personal.store(
      concealed.flatMap(({ values }, index) =>
        values.map((value) => ({ ...value, eventId: ids[index] as bigint })),
      ),
    );
    return ids;
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
    const { items, lookedBackTo } = await this.log.search(filter, window, first);
    return { items: await this.personal.reveal(items), lookedBackTo };
  }

  /** Returns the events with these ids that are still there, oldest first. */
  async withIds(ids: readonly bigint[]): Promise<AuditEvent[]> {
    const found = await this.events.repository.find({ where: { id: In(ids) }, order: { id: 'ASC' } });
    return this.personal.reveal(found);
  }

  /** Returns events that hold personal values of a subject but are not about it, and that it did not make, oldest first. */
  async aboutOthers(subject: Subject, after: bigint, limit: number): Promise<AuditEvent[]> {
    const found = await this.database.scan(AuditEvent, (events) =>
      selectAboutOthers(events, subject)
        .andWhere('event.id > :after', { after })
        .orderBy('event.id')
        .limit(limit)
        .getMany(),
    );
    return this.personal.reveal(found);
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
  async first(action: string, from: Date, to: Date, limit: number): Promise<AuditEvent[]> {
    const found = await this.database.scan(AuditEvent, (events) =>
      events
        .createQueryBuilder('event')
        .where('event.at >= :from AND event.at < :to AND event.action = :action', { from, to, action })
        .orderBy('event.at')
        .addOrderBy('event.id')
        .limit(limit)
        .getMany(),
    );
    return this.personal.reveal(found);
  }

  /** Returns an id below which no event from a time on can be, if any: by time, whose index finds it. */
  private firstId(from: Date): Promise<bigint | undefined> {
    const before = new Date(from.getTime() - DISORDER_MS);
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
}

function selectAboutOthers(
  events: Repository<AuditEvent>,
  { type, id }: Subject,
): SelectQueryBuilder<AuditEvent> {
  const values = events.manager
    .createQueryBuilder(PersonalValue, 'stored')
    .select('stored.eventId')
    .where('stored.subjectType = :type AND stored.subjectId = :id');
  return events
    .createQueryBuilder('event')
    .where(`event.id IN (${values.getQuery()})`, { type, id })
    .andWhere('NOT (event.subjectType = :type AND event.subjectId = :id)')
    .andWhere('event.actor <> :id');
}
