import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { RowsInsertion } from '../database/entities/rows-insertion';
import { batchesOf } from '../database/statements/batches';
import type { AuditEvent } from './audit-event.entity';
import {
  commitmentsIn,
  concealed,
  type ConcealedEvent,
  personsOf,
  type RecordedEvent,
  revealed,
  type Subject,
  subjectText,
} from './committed-event';
import { newKey, openValue } from './commitment';
import { PersonalKey } from './personal-key.entity';
import { PersonalValue } from './personal-value.entity';

/** A row of personal values with the key of its subject; null if there is none. */
export interface StoredValue extends PersonalValue {
  readonly key: string | null;
}

/** Subjects and events of one statement. */
const BATCH = 200;

/** Values that one transaction of an erasure deletes: while it does, other writers of SQLite's file wait. */
const ERASED_AT_ONCE = 5_000;

/** Personal values of audit events, which lie beside them under the key of their subject. */
@Injectable()
export class PersonalValues {
  private readonly newValues = new RowsInsertion(this.database, this.columnsOf(PersonalValue), 'RETURNING 1');
  private readonly newKeys = new RowsInsertion(
    this.database,
    this.columnsOf(PersonalKey),
    'ON CONFLICT DO NOTHING RETURNING 1',
  );

  constructor(private readonly database: Database) {}

  /** Puts commitments in place of the personal values of events, in the transaction that stores them. */
  async conceal(events: readonly RecordedEvent[]): Promise<ConcealedEvent[]> {
    const keys = await this.holdKeys(events.flatMap(personsOf));
    return events.map((event) => concealed(event, keys));
  }

  async store(values: readonly PersonalValue[]): Promise<void> {
    await this.newValues.insert(values);
  }

  /** Returns events with their personal values; one that is erased reads `[erased]`. */
  async reveal(events: readonly AuditEvent[]): Promise<AuditEvent[]> {
    const committed = events.map((event) => ({ event, commitments: commitmentsIn(event) }));
    const ids = committed.filter(({ commitments }) => commitments.length > 0).map(({ event }) => event.id);
    if (ids.length === 0) return [...events];
    const values = await this.valuesOf(ids);
    return committed.map(({ event, commitments }) => {
      const opened = commitments.flatMap(({ member, commitment }) => {
        const stored = values.get(`${event.id} ${member}`);
        const value = stored && openStored(stored, commitment);
        return value === undefined ? [] : [[member, value] as const];
      });
      return commitments.length === 0 ? event : revealed(event, new Map(opened));
    });
  }

  /**
   * Returns the keys of subjects, made if there are none. Until the transaction in progress ends, no erasure takes one away.
   *
   * @returns keys by {@link subjectText}
   */
  async holdKeys(subjects: readonly Subject[]): Promise<Map<string, string>> {
    const keys = new Map<string, string>();
    // In one order, so that two transactions do not wait for each other.
    const names = [...new Map(subjects.map((each) => [subjectText(each), each]))].sort(([one], [other]) =>
      one < other ? -1 : 1,
    );
    for (const batch of batchesOf(names, BATCH)) {
      const wanted = batch.map(([, { type, id }]) => ({ subjectType: type, subjectId: id }));
      for (let found = 0; found < wanted.length;) {
        await this.newKeys.insert(wanted.map((each) => ({ ...each, key: newKey() })));
        // An erasure may take one away just before it is held.
        const rows = await this.heldKeys(wanted);
        for (const { subjectType, subjectId, key } of rows) {
          keys.set(subjectText({ type: subjectType, id: subjectId }), key);
        }
        found = rows.length;
      }
    }
    return keys;
  }

  /** True if a subject has more values than one transaction is to delete. */
  async isLarge({ type, id }: Subject): Promise<boolean> {
    const values = this.database.dataSource.getRepository(PersonalValue);
    const where = { subjectType: type, subjectId: id };
    const found = await values.find({ where, select: { eventId: true }, skip: ERASED_AT_ONCE, take: 1 });
    return found.length > 0;
  }

  /**
   * Deletes a batch of the values of a subject that events before one have.
   *
   * @returns their number, and whether there may be more
   */
  async eraseBatch({ type, id }: Subject, before: bigint): Promise<{ erased: number; hasMore: boolean }> {
    const values = this.database.dataSource.getRepository(PersonalValue);
    const batch = values
      .createQueryBuilder('value')
      .select('value.eventId', 'event_id')
      .addSelect('value.member', 'member')
      .where('value.subjectType = :type AND value.subjectId = :id AND value.eventId < :before')
      .limit(ERASED_AT_ONCE);
    const { affected } = await values
      .createQueryBuilder()
      .delete()
      .where(`(event_id, member) IN (${batch.getQuery()})`, { type, id, before })
      .execute();
    const erased = affected ?? 0;
    return { erased, hasMore: erased === ERASED_AT_ONCE };
  }

  /**
   * Deletes the key and the values of a subject, in the transaction in progress, once no other transaction holds the key.
   *
   * @returns the number of values
   */
  async erase(subject: Subject): Promise<number> {
    await this.eraseKey(subject);
    const { affected } = await this.database.dataSource
      .getRepository(PersonalValue)
      .delete({ subjectType: subject.type, subjectId: subject.id });
    return affected ?? 0;
  }

  /** Deletes the key of a subject, in the transaction in progress, once no other transaction holds it. */
  async eraseKey({ type, id }: Subject): Promise<void> {
    const subject = { subjectType: type, subjectId: id };
    const keys = this.database.dataSource.getRepository(PersonalKey);
    for (let isDeleted = false; !isDeleted;) {
      // Whoever adds the first key waits for this one, or is waited for.
      await this.newKeys.insert([{ ...subject, key: newKey() }]);
      // None while it waited for another erasure: then a newer key may be there, which the statement does not see.
      isDeleted = (await keys.delete(subject)).affected !== 0;
    }
  }

  private heldKeys(subjects: readonly Omit<PersonalKey, 'key'>[]): Promise<PersonalKey[]> {
    const query = this.database.dataSource
      .getRepository(PersonalKey)
      .createQueryBuilder('held')
      .where([...subjects]);
    // On SQLite a transaction has the whole file to itself.
    if (this.database.engine === 'postgres') query.setLock('for_key_share');
    return query.getMany();
  }

  /** The stored values of events with their keys, by event id and member; without a key if that is gone. */
  private async valuesOf(ids: readonly bigint[]): Promise<Map<string, StoredValue>> {
    const values = new Map<string, StoredValue>();
    for (const batch of batchesOf(ids, BATCH)) {
      const rows = await this.selectValues()
        .where('stored.eventId IN (:...batch)', { batch })
        .getRawMany<StoredValue>();
      for (const row of rows) values.set(`${row.eventId} ${row.member}`, row);
    }
    return values;
  }

  /** Returns the values of the events of a range of ids, both ends included. */
  valuesBetween(first: bigint, last: bigint): Promise<StoredValue[]> {
    return this.selectValues()
      .where('stored.eventId BETWEEN :first AND :last', { first, last })
      .getRawMany<StoredValue>();
  }

  private selectValues() {
    return this.database.dataSource
      .getRepository(PersonalValue)
      .createQueryBuilder('stored')
      .select('stored.eventId', 'eventId')
      .addSelect('stored.member', 'member')
      .addSelect('stored.subjectType', 'subjectType')
      .addSelect('stored.subjectId', 'subjectId')
      .addSelect('stored.sealed', 'sealed')
      .addSelect('held.key', 'key')
      .leftJoin(
        PersonalKey,
        'held',
        'held.subjectType = stored.subjectType AND held.subjectId = stored.subjectId',
      );
  }

  private columnsOf(entity: typeof PersonalValue | typeof PersonalKey) {
    return this.database.dataSource.getMetadata(entity).columns;
  }
}

/** Returns JSON of a stored value, unless it is not the one that a commitment is to, or cannot be decrypted. */
export function openStored({ sealed, key }: StoredValue, commitment: string): string | undefined {
  return key === null ? undefined : openValue({ commitment, sealed }, key);
}
