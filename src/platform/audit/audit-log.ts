import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { LogWindow } from '../database/entities/log-search';
import { ReadOnlyMode } from '../read-only/read-only-mode';
import { exactJson } from '../values/exact-json';
import { currentActor } from '../security/actor';
import { AuditEventsRepository, type AuditFilter, type RecordedEvent } from './audit-events.repository';
import type { AuditEvent } from './audit-event.entity';
import type { Subject } from './subject';

/** A change as the code that makes it describes it. */
export interface AuditedChange {
  /** Action, such as `pets.update`. */
  readonly action: string;
  readonly subject: { readonly type: string; readonly id: string | bigint };
  /** The subject before the change; unset if it is created. Without secrets. */
  readonly before?: object | undefined;
  /** The subject after the change; unset if it is deleted. Without secrets. */
  readonly after?: object | undefined;
  /** Members of before and after that identify a person: they can be erased. */
  readonly personal?: readonly string[] | undefined;
  /** Subject that they are erased with, if that is not the subject of the change. */
  readonly person?: Subject | undefined;
  /** Id of the event about the change that this one is a part of; see {@link AuditEvent.whole}. */
  readonly whole?: bigint | undefined;
}

/** The change of many records that were changed as one, or of a part of them. */
export interface ChangeOfMany {
  /** Changes of each record. */
  readonly changes: readonly AuditedChange[];
  /** Id of the event that stands for the whole; unset before its first part is recorded. */
  readonly whole: bigint | undefined;
  /** Describes them all, by the whole and the ids of the events about each. */
  readonly together: (whole: bigint, events: readonly bigint[]) => AuditedChange;
}

/** The record of what operators change: who, when, what, on what, before and after. */
@Injectable()
export class AuditLog {
  private readonly listeners: ((ids: readonly bigint[]) => void)[] = [];

  constructor(
    private readonly events: AuditEventsRepository,
    private readonly database: Database,
    private readonly readOnly: ReadOnlyMode,
  ) {}

  /** Calls a listener with the ids of new events, in the transaction that records them. */
  onRecord(listener: (ids: readonly bigint[]) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Records a change with its actor, in the transaction that makes the change.
   *
   * @returns the id of the event
   * @throws ReadOnlyError while the service takes no changes; Error outside a transaction: the record could be there without
   * the change, or the change without it
   */
  async record(change: AuditedChange): Promise<bigint> {
    this.readOnly.assertWritableByOperators();
    return this.recordWhileReadOnly(change);
  }

  /**
   * Does the same as {@link record} in read-only mode too: for the beginning and the end of a session and of that mode, which change
   * no data, and for stopping a key.
   */
  async recordWhileReadOnly(change: AuditedChange): Promise<bigint> {
    this.assertInTransaction();
    const id = await this.events.insert(eventOf(change));
    this.tell([id]);
    return id;
  }

  /** Records many changes at once, like {@link record}. */
  async recordMany(changes: readonly AuditedChange[]): Promise<bigint[]> {
    this.readOnly.assertWritableByOperators();
    this.assertInTransaction();
    const ids = await this.events.insertMany(changes.map(eventOf));
    this.tell(ids);
    return ids;
  }

  /**
   * Records the changes of many records that were changed as one: each by itself, and all together, which belong to one whole.
   *
   * @returns the id of the event that stands for the whole
   */
  async recordAsOne({ changes, whole: known, together }: ChangeOfMany): Promise<bigint> {
    this.readOnly.assertWritableByOperators();
    this.assertInTransaction();
    const ids = await this.events.nextIds(changes.length + 1);
    const own = ids.at(-1) as bigint;
    const whole = known ?? own;
    const about = { ...together(whole, ids.slice(0, -1)), whole: known };
    await this.events.insertMany(
      [...changes.map((change) => ({ ...change, whole })), about].map(eventOf),
      ids,
    );
    this.tell(ids);
    return whole;
  }

  /** Returns the event with an id, if any. */
  async find(id: bigint): Promise<AuditEvent | undefined> {
    const [event] = await this.events.list({}, { before: id + 1n, limit: 1 });
    return event?.id === id ? event : undefined;
  }

  /** Returns events newest first. */
  list(filter: AuditFilter, window: LogWindow): Promise<AuditEvent[]> {
    return this.events.list(filter, window);
  }

  /** Returns actor, action and subject type of the newest events. */
  recent(limit: number): Promise<Pick<AuditEvent, 'actor' | 'action' | 'subjectType'>[]> {
    return this.events.recent(limit);
  }

  /** Returns the first event about a subject with an action, from a time on; if any. It stands for those after it. */
  first(subject: Subject, action: string, from?: Date): Promise<AuditEvent | undefined> {
    return this.events.first(subject, action, from);
  }

  /** Returns the newest event about a subject, if any. */
  async latest({ type, id }: AuditedChange['subject']): Promise<AuditEvent | undefined> {
    const [event] = await this.events.list({ subjectType: type, subjectId: String(id) }, { limit: 1 });
    return event;
  }

  private tell(ids: readonly bigint[]): void {
    for (const listener of this.listeners) listener(ids);
  }

  private assertInTransaction(): void {
    if (!this.database.isInTransaction) {
      throw new Error('A change is recorded in the transaction that makes it.');
    }
  }
}

function eventOf({ action, subject, before, after, personal, person, whole }: AuditedChange): RecordedEvent {
  const { name, personName = null, requestId = null, address = null } = currentActor();
  return {
    at: new Date(),
    actor: name,
    actorName: personName,
    action,
    subjectType: subject.type,
    subjectId: String(subject.id),
    before: before ? exactJson(before) : null,
    after: after ? exactJson(after) : null,
    requestId,
    address,
    whole: whole ?? null,
    personal: personal?.filter((member) => hasValue(before, member) || hasValue(after, member)),
    person,
  };
}

function hasValue(side: object | undefined, member: string): boolean {
  const value = (side as Record<string, unknown> | undefined)?.[member];
  return value !== undefined && value !== null;
}
