import { Injectable } from '@nestjs/common';
import { In, type SelectQueryBuilder } from 'typeorm';
import { AuditEvent } from '../../../platform/audit/audit-event.entity';
import { type Subject, subjectText } from '../../../platform/audit/committed-event';
import { ERASURE_ACTION, isBeginOfErasure } from '../../../platform/audit/erasure-action';
import { PersonalValue } from '../../../platform/audit/personal-value.entity';
import { Database } from '../../../platform/database/database';
import { countRowsUpTo } from '../../../platform/database/entities/count-up-to';
import { EntityRepository } from '../../../platform/database/entities/entity-repository';
import { RowsInsertion } from '../../../platform/database/entities/rows-insertion';
import { batchesOf } from '../../../platform/database/statements/batches';
import { REMOVAL } from '../removal';
import { AuditSeal } from './audit-seal.entity';
import { type Link, ORIGIN, type StoredAuditEvent, type StoredSeal } from './seal';

/** A range of rows to read, in ascending order. */
interface Stretch {
  readonly after: bigint;
  /** The last row; the newest by default. */
  readonly upTo?: bigint;
  readonly limit: number;
}

/** The event of an erasure. */
export interface RecordedErasure {
  readonly id: bigint;
  /** False if it deletes values batch by batch, and may have been interrupted. */
  readonly isFinished: boolean;
}

/** Most events counted: counting all of them would read all of them. */
const MOST_COUNTED = 100_000;

/** Subjects of one statement: SQLite bounds the depth of a condition. */
const SUBJECTS = 200;

/** Audit events and their seals in the database, as they are stored to the last digit. */
@Injectable()
export class AuditChainRepository {
  private readonly events = new EntityRepository(this.database, AuditEvent);
  private readonly values = new EntityRepository(this.database, PersonalValue);
  private readonly seals = new EntityRepository(this.database, AuditSeal);
  private readonly sealing = new RowsInsertion(
    this.database,
    this.seals.repository.metadata.columns,
    'RETURNING "sequence"',
  );

  constructor(private readonly database: Database) {}

  eventsIn({ after, upTo, limit }: Stretch): Promise<StoredAuditEvent[]> {
    const query = this.events.repository
      .createQueryBuilder('event')
      .select('event.id', 'id')
      .addSelect(this.instant('event.at'), 'at')
      .where('event.id > :after', { after })
      .orderBy('event.id')
      .limit(limit);
    for (const { propertyName: name } of this.events.repository.metadata.columns) {
      if (name !== 'id' && name !== 'at') query.addSelect(`event.${name}`, name);
    }
    if (upTo !== undefined) query.andWhere('event.id <= :upTo', { upTo });
    return query.getRawMany<StoredAuditEvent>();
  }

  sealsIn({ after, upTo, limit }: Stretch): Promise<StoredSeal[]> {
    const query = this.selectSeals(this.seals.repository.createQueryBuilder('seal'))
      .where('seal.sequence > :after', { after })
      .orderBy('seal.sequence')
      .limit(limit);
    if (upTo !== undefined) query.andWhere('seal.sequence <= :upTo', { upTo });
    return query.getRawMany<StoredSeal>();
  }

  /** The newest link; {@link ORIGIN} of an empty chain. */
  async head(): Promise<Link> {
    const seal = await this.selectSeals(this.seals.repository.createQueryBuilder('seal'))
      .orderBy('seal.sequence', 'DESC')
      .limit(1)
      .getRawOne<StoredSeal>();
    return seal ?? ORIGIN;
  }

  /** The seal of the newest event with at most this id. */
  sealUpTo(eventId: bigint): Promise<StoredSeal | undefined> {
    return this.selectSeals(this.seals.repository.createQueryBuilder('seal'))
      .where('seal.eventId <= :eventId', { eventId })
      .orderBy('seal.eventId', 'DESC')
      .limit(1)
      .getRawOne<StoredSeal>();
  }

  async insert(seals: readonly AuditSeal[]): Promise<void> {
    await this.sealing.insert(seals);
  }

  /** The newest event about a removal with at most this id. */
  async removalUpTo(eventId: bigint): Promise<StoredAuditEvent | undefined> {
    const found = await this.events.repository
      .createQueryBuilder('event')
      .select('event.id', 'id')
      .where('event.subjectType = :type AND event.subjectId = :id', REMOVAL.subject)
      .andWhere('event.action = :action AND event.id <= :eventId', { action: REMOVAL.action, eventId })
      .orderBy('event.id', 'DESC')
      .limit(1)
      .getRawOne<{ id: bigint }>();
    if (!found) return undefined;
    const [event] = await this.eventsIn({ after: found.id - 1n, limit: 1 });
    return event;
  }

  /** The id of the newest event before an instant. */
  async newestBefore(before: Date): Promise<bigint | undefined> {
    const event = await this.events.repository
      .createQueryBuilder('event')
      .select('event.id', 'id')
      .where('event.at < :before', { before })
      .orderBy('event.at', 'DESC')
      .addOrderBy('event.id', 'DESC')
      .limit(1)
      .getRawOne<{ id: bigint }>();
    return event?.id;
  }

  /** Returns the newest erasure of each of these subjects that has one, by {@link subjectText}. */
  async erasuresOf(subjects: readonly Subject[]): Promise<Map<string, RecordedErasure>> {
    const erasures = new Map<string, RecordedErasure>();
    const names = [...new Map(subjects.map((subject) => [subjectText(subject), subject])).values()];
    for (const batch of batchesOf(names, SUBJECTS)) {
      const found = await this.events.repository
        .createQueryBuilder('event')
        .select('event.subjectType', 'type')
        .addSelect('event.subjectId', 'id')
        .addSelect('MAX(event.id)', 'erasure')
        .where(batch.map(({ type, id }) => ({ subjectType: type, subjectId: id })))
        .andWhere('event.action = :action', { action: ERASURE_ACTION })
        .groupBy('event.subjectType')
        .addGroupBy('event.subjectId')
        .getRawMany<Subject & { erasure: bigint }>();
      if (found.length === 0) continue;
      const events = await this.events.repository.find({
        where: { id: In(found.map(({ erasure }) => erasure)) },
        select: { id: true, after: true },
      });
      const unfinished = new Set(events.filter(isBeginOfErasure).map(({ id }) => id));
      for (const { erasure: id, ...subject } of found) {
        erasures.set(subjectText(subject), { id, isFinished: !unfinished.has(id) });
      }
    }
    return erasures;
  }

  /** Counts the events after an id, up to {@link MOST_COUNTED}. */
  countAfter(id: bigint): Promise<number> {
    return this.database.scan(AuditEvent, async (events) => {
      const after = events.createQueryBuilder('event').select('event.id').where('event.id > :id', { id });
      return countRowsUpTo(after, MOST_COUNTED);
    });
  }

  /** Removes a batch of seals, personal values and events up to a link. @returns true if there may be more */
  async deleteBatchUpTo({ eventId, sequence }: Link): Promise<boolean> {
    const moreSeals = await this.seals.deleteBatch('sequence', sequence + 1n);
    const moreValues = await this.values.deleteBatch('eventId', eventId + 1n);
    const moreEvents = await this.events.deleteBatch('id', eventId + 1n);
    return moreSeals || moreValues || moreEvents;
  }

  private selectSeals(query: SelectQueryBuilder<AuditSeal>): SelectQueryBuilder<AuditSeal> {
    return query
      .select('seal.sequence', 'sequence')
      .addSelect('seal.eventId', 'eventId')
      .addSelect(this.instant('seal.sealedAt'), 'sealedAt')
      .addSelect('seal.hash', 'hash');
  }

  /**
   * An instant as SQLite stores it. PostgreSQL keeps microseconds, and the service writes milliseconds: microseconds or a year
   * before Christ that someone wrote by hand stay in the text.
   */
  private instant(column: string): string {
    if (this.database.engine === 'sqlite') return column;
    return `replace(to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US AD'), '000 AD', '')`;
  }
}
