import { Injectable } from '@nestjs/common';
import { And, type FindOptionsWhere, In, LessThan, MoreThan, Not, type Repository } from 'typeorm';
import { AuditEvent } from '../../../platform/audit/audit-event.entity';
import { ERASED, isErased } from '../../../platform/audit/erased';
import { PersonalMembers } from '../../../platform/audit/personal-members.entity';
import { isOperator, type Subject } from '../../../platform/audit/subject';
import { Database } from '../../../platform/database/database';
import { exactJson } from '../../../platform/values/exact-json';
import { readJson } from '../../../platform/values/json-reader';

/** Events of one transaction: some ten milliseconds of SQLite's write lock. */
const BATCH = 100;

/** Matches a name or an address that is not erased. */
const IS_VALUE = Not(ERASED);

/** The result of one transaction. */
export interface ErasedPiece {
  /** Number of values. */
  readonly values: number;
  /** The event after which the next piece begins; undefined after the last piece. */
  readonly next: bigint | undefined;
}

/** Erases a piece, in the transaction in progress. @param after id of the last event of the piece before; 0 for the first */
export type ErasePiece = (after: bigint) => Promise<ErasedPiece>;

/** Overwrites what audit events say of a subject. The database lets that be done once the erasure is recorded. */
@Injectable()
export class ErasedEvents {
  constructor(private readonly database: Database) {}

  /**
   * Returns the functions that overwrite the values of a subject in the events before that of its erasure, to be run in turn.
   *
   * @param fields fields of a record that identify a person: an event names those that were marked so when it was recorded
   */
  erasures(subject: Subject, fields: readonly string[], erasure: bigint): ErasePiece[] {
    return [
      () => this.eraseMembers(subject, erasure),
      ...(fields.length > 0 ? [(after: bigint) => this.eraseFields(subject, fields, after, erasure)] : []),
      ...(isOperator(subject) ? [(after: bigint) => this.eraseOperator(subject, after, erasure)] : []),
    ];
  }

  /** Erases the members that events themselves name. */
  private async eraseMembers({ type, id }: Subject, erasure: bigint): Promise<ErasedPiece> {
    const named = this.rows(PersonalMembers);
    const rows = await named.find({
      where: { subjectType: type, subjectId: id, eventId: LessThan(erasure) },
      order: { eventId: 'ASC' },
      take: BATCH,
    });
    const members = new Map(rows.map((row) => [row.eventId, row.members.split(',')]));
    const ids = [...members.keys()];
    const events = await this.locked({ id: In(ids) });
    let values = 0;
    for (const event of events) values += await this.overwrite(event, members.get(event.id) ?? []);
    await named.delete({ eventId: In(ids) });
    return { values, next: nextAfter(ids) };
  }

  private async eraseFields(
    { type, id }: Subject,
    fields: readonly string[],
    after: bigint,
    erasure: bigint,
  ): Promise<ErasedPiece> {
    const about = { subjectType: type, subjectId: id };
    const events = await this.locked({ ...about, id: And(MoreThan(after), LessThan(erasure)) });
    let values = 0;
    for (const event of events) values += await this.overwrite(event, fields);
    return { values, next: nextAfter(events.map((event) => event.id)) };
  }

  /** Erases name and address of an operator in the events about what it did. */
  private async eraseOperator(subject: Subject, after: bigint, erasure: bigint): Promise<ErasedPiece> {
    const events = this.rows(AuditEvent);
    const made = await events.find({
      where: { actor: subject.id, id: And(MoreThan(after), LessThan(erasure)) },
      select: { id: true },
      order: { id: 'ASC' },
      take: BATCH,
    });
    const ids = made.map(({ id }) => id);
    const names = await events.update({ id: In(ids), actorName: IS_VALUE }, { actorName: ERASED });
    const addresses = await events.update({ id: In(ids), address: IS_VALUE }, { address: ERASED });
    return { values: (names.affected ?? 0) + (addresses.affected ?? 0), next: nextAfter(ids) };
  }

  /** Reads some events, so that no other erasure overwrites them meanwhile. */
  private locked(where: FindOptionsWhere<AuditEvent>): Promise<AuditEvent[]> {
    return this.rows(AuditEvent).find({
      where,
      order: { id: 'ASC' },
      take: BATCH,
      ...(this.database.engine === 'postgres' && { lock: { mode: 'pessimistic_write' } }),
    });
  }

  /** @returns the number of values */
  private async overwrite({ id, before, after }: AuditEvent, members: readonly string[]): Promise<number> {
    const [blankBefore, blankAfter] = [erasedIn(before, members), erasedIn(after, members)];
    const values = blankBefore.values + blankAfter.values;
    if (values > 0) {
      await this.rows(AuditEvent).update({ id }, { before: blankBefore.json, after: blankAfter.json });
    }
    return values;
  }

  private rows<Entity extends object>(entity: new () => Entity): Repository<Entity> {
    return this.database.dataSource.getRepository(entity);
  }
}

/** The event after which the next piece begins, from the events of a piece; undefined if there are no more. */
function nextAfter(ids: readonly bigint[]): bigint | undefined {
  return ids.length < BATCH ? undefined : ids.at(-1);
}

/** Returns JSON with {@link ERASED} in place of the values of members, and their number. */
function erasedIn(json: string | null, members: readonly string[]): { json: string | null; values: number } {
  if (json === null) return { json, values: 0 };
  let values = 0;
  const entries = Object.entries(readJson(Buffer.from(json)) as object) as [string, unknown][];
  const blank = entries.map(([name, value]): [string, unknown] => {
    if (!members.includes(name) || value === null || isErased(value)) return [name, value];
    values += 1;
    return [name, ERASED];
  });
  return { json: exactJson(Object.fromEntries(blank)), values };
}
