import { Injectable } from '@nestjs/common';
import { And, type FindOptionsWhere, In, LessThan, MoreThan, Not, type Repository } from 'typeorm';
import { AuditEvent } from '../../platform/audit/audit-event.entity';
import { ERASED, isErased } from '../../platform/audit/erased';
import { PersonalMembers } from '../../platform/audit/personal-members.entity';
import { isOperator, type Subject } from '../../platform/audit/subject';
import { Database } from '../../platform/database/database';
import { exactJson } from '../../platform/values/exact-json';
import { readJson } from '../../platform/values/json-reader';

/** Events in memory at a time. */
const BATCH = 500;

/** Matches a name or an address that is not erased. */
const IS_VALUE = Not(ERASED);

/** Overwrites what audit events say of a subject. The database lets that be done once the erasure is recorded. */
@Injectable()
export class ErasedEvents {
  constructor(private readonly database: Database) {}

  /**
   * Overwrites the values of a subject in the events before that of its erasure, in the transaction in progress.
   *
   * @param fields fields of a record that identify a person: an event names those that were marked so when it was recorded
   * @returns the number of values
   */
  async erase(subject: Subject, fields: readonly string[], erasure: bigint): Promise<number> {
    return (
      (await this.eraseMembers(subject, erasure)) +
      (await this.eraseFields(subject, fields, erasure)) +
      (await this.eraseOperator(subject, erasure))
    );
  }

  /** Erases the members that events themselves name. */
  private async eraseMembers({ type, id }: Subject, erasure: bigint): Promise<number> {
    const named = this.rows(PersonalMembers);
    for (let values = 0; ;) {
      const rows = await named.find({
        where: { subjectType: type, subjectId: id, eventId: LessThan(erasure) },
        order: { eventId: 'ASC' },
        take: BATCH,
      });
      const members = new Map(rows.map((row) => [row.eventId, row.members.split(',')]));
      const ids = In([...members.keys()]);
      const events = await this.locked({ id: ids });
      for (const event of events) values += await this.overwrite(event, members.get(event.id) ?? []);
      await named.delete({ eventId: ids });
      if (rows.length < BATCH) return values;
    }
  }

  private async eraseFields(
    { type, id }: Subject,
    fields: readonly string[],
    erasure: bigint,
  ): Promise<number> {
    if (fields.length === 0) return 0;
    const about = { subjectType: type, subjectId: id };
    for (let values = 0, last = 0n; ;) {
      const events = await this.locked({ ...about, id: And(MoreThan(last), LessThan(erasure)) });
      for (const event of events) values += await this.overwrite(event, fields);
      last = events.at(-1)?.id ?? last;
      if (events.length < BATCH) return values;
    }
  }

  /** Erases name and address of an operator in the events about what it did. */
  private async eraseOperator(subject: Subject, erasure: bigint): Promise<number> {
    if (!isOperator(subject)) return 0;
    const made = { actor: subject.id, id: LessThan(erasure) };
    const events = this.rows(AuditEvent);
    const names = await events.update({ ...made, actorName: IS_VALUE }, { actorName: ERASED });
    const addresses = await events.update({ ...made, address: IS_VALUE }, { address: ERASED });
    return (names.affected ?? 0) + (addresses.affected ?? 0);
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
