import { Injectable } from '@nestjs/common';
import { In, type ObjectLiteral, type Repository, type SelectQueryBuilder } from 'typeorm';
import { Database } from '../database/database';
import { EntityRepository, type New } from '../database/entities/entity-repository';
import { AuditEvent } from './audit-event.entity';

/** Conditions for events; one that is not set matches every event. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subjectType?: string | undefined;
  readonly subjectId?: string | undefined;
  /** Earliest time, itself included. */
  readonly from?: Date | undefined;
  /** Latest time, itself excluded. */
  readonly to?: Date | undefined;
}

/** A page of the record, newest first. */
export interface AuditWindow {
  /** Only events older than the one with this id. */
  readonly before?: bigint | undefined;
  readonly limit: number;
}

/** Result of one bounded search in the record. */
export interface FoundEvents {
  /** Events found, newest first. */
  readonly items: AuditEvent[];
  /**
   * Oldest event that the search reached, if older ones are left to search; unset when as many were found as were asked for.
   */
  readonly lookedBackTo?: Pick<AuditEvent, 'id' | 'at'> | undefined;
}

const EXACT = ['actor', 'action', 'subjectType', 'subjectId'] as const;

/** Filters whose index has events in the order of their ids. The first one that is set as a whole leads the search. */
const INDEXED = [['subjectType', 'subjectId'], ['actor']] as const;

/** Events that one statement looks through: some ten milliseconds, so that other work gets its turn. */
export const EVENTS_PER_SEARCH = 20_000;

/** Milliseconds by which ids and times of events may be out of order: clocks differ, and transactions take their time. */
const DISORDER_MS = 24 * 60 * 60 * 1_000;

/** The record of changes in the database. Its events cannot be changed. */
@Injectable()
export class AuditEventsRepository {
  private readonly events = new EntityRepository(this.database, AuditEvent);

  constructor(private readonly database: Database) {}

  insert(event: New<AuditEvent>): Promise<AuditEvent> {
    return this.events.insert(event);
  }

  insertMany(events: readonly New<AuditEvent>[]): Promise<AuditEvent[]> {
    return this.events.insertMany(events);
  }

  /** Returns events newest first, however long it takes to find them. */
  async list(filter: AuditFilter, { before, limit }: AuditWindow): Promise<AuditEvent[]> {
    const items: AuditEvent[] = [];
    let from = before;
    do {
      const found = await this.searchPart(filter, { before: from, limit: limit - items.length });
      items.push(...found.items);
      from = found.lookedBackTo?.id;
    } while (from !== undefined);
    return items;
  }

  /** Searches a bounded part of the record, however many events there are and whatever the filter is. */
  searchPart(filter: AuditFilter, { before, limit }: AuditWindow): Promise<FoundEvents> {
    const lead = INDEXED.find((names) => names.every((name) => filter[name] !== undefined)) ?? [];
    const rest = EXACT.filter((name) => !lead.some((other) => other === name) && filter[name] !== undefined);
    const isExact = rest.length === 0 && !filter.from && !filter.to;
    const most = isExact ? limit : EVENTS_PER_SEARCH;

    return this.database.scan(AuditEvent, async (events) => {
      const first = filter.from && (await firstId(events, filter.from));
      const lookThrough = <Row extends ObjectLiteral>(query: SelectQueryBuilder<Row>) => {
        const rows = query.select('row.id', 'id').addSelect('row.at', 'at').from(AuditEvent, 'row');
        for (const name of rest) rows.addSelect(`row.${name}`, name);
        for (const name of lead) rows.andWhere(`row.${name} = :${name}`, { [name]: filter[name] });
        if (before !== undefined) rows.andWhere('row.id < :before', { before });
        if (first !== undefined) rows.andWhere('row.id >= :first', { first });
        return rows.orderBy('row.id', 'DESC').limit(most);
      };
      const seen = () => events.manager.createQueryBuilder().from(lookThrough, 'seen');
      const chosen = seen().select('"seen"."id"', 'id').orderBy('"seen"."id"', 'DESC').limit(limit);
      for (const name of rest) chosen.andWhere(`"seen"."${name}" = :${name}`, { [name]: filter[name] });
      if (filter.from) chosen.andWhere('"seen"."at" >= :from', { from: filter.from });
      if (filter.to) chosen.andWhere('"seen"."at" < :to', { to: filter.to });
      const ids = (await chosen.getRawMany<{ id: bigint | string }>()).map(({ id }) => BigInt(id));
      const items = await events.find({ where: { id: In(ids) }, order: { id: 'DESC' } });
      if (isExact || items.length === limit) return { items };
      const reach = await seen()
        .select('MIN("seen"."id")', 'last')
        .addSelect('COUNT(*)', 'count')
        .getRawOne<{ last: bigint | string; count: bigint | string }>();
      const isCut = reach && Number(reach.count) === most;
      const last = isCut ? await events.findOneBy({ id: BigInt(reach.last) }) : null;
      return { items, lookedBackTo: last ?? undefined };
    });
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
}

/** Returns an id below which no event from a time on can be, if any: by time, whose index finds it. */
async function firstId(events: Repository<AuditEvent>, from: Date): Promise<bigint | undefined> {
  const before = new Date(from.getTime() - DISORDER_MS);
  const event = await events
    .createQueryBuilder('event')
    .where('event.at < :before', { before })
    .orderBy('event.at', 'DESC')
    .addOrderBy('event.id', 'DESC')
    .limit(1)
    .getOne();
  return event?.id;
}
