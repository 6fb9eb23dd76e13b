import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { EntityRepository, type New } from '../database/entities/entity-repository';
import { AuditEvent } from './audit-event.entity';

/** What events can be looked for by; what is not set does not matter. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subjectType?: string | undefined;
  readonly subjectId?: string | undefined;
  /** The first instant. */
  readonly from?: Date | undefined;
  /** The instant after the last. */
  readonly to?: Date | undefined;
}

/** A page of the record, newest first. */
export interface AuditWindow {
  /** Only events older than the one with this id. */
  readonly before?: bigint | undefined;
  readonly limit: number;
}

const EXACT = ['actor', 'action', 'subjectType', 'subjectId'] as const;

/** The record of changes in the database. There is no way to change what is in it. */
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

  /** Events newest first. */
  list(filter: AuditFilter, { before, limit }: AuditWindow): Promise<AuditEvent[]> {
    return this.database.scan(AuditEvent, (events) => {
      const query = events.createQueryBuilder('event').orderBy('event.id', 'DESC').limit(limit);
      for (const name of EXACT) {
        if (filter[name] !== undefined) query.andWhere(`event.${name} = :${name}`, { [name]: filter[name] });
      }
      if (before !== undefined) query.andWhere('event.id < :before', { before });
      if (filter.from) query.andWhere('event.at >= :from', { from: filter.from });
      if (filter.to) query.andWhere('event.at < :to', { to: filter.to });
      return query.getMany();
    });
  }

  /** What the newest events were done by, what was done, and to which kinds of things. */
  recent(limit: number): Promise<Pick<AuditEvent, 'actor' | 'action' | 'subjectType'>[]> {
    return this.events.repository.find({
      select: { actor: true, action: true, subjectType: true },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** The first events of an action from an instant on, up to another, oldest first: by time, whose index finds them. */
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
