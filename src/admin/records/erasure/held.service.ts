import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service';
import { AuditEvent } from '../../../platform/audit/audit-event.entity';
import { isErased } from '../../../platform/audit/erased';
import { isOperator, type Subject, subjectText } from '../../../platform/audit/subject';
import { Database } from '../../../platform/database/database';
import { countRowsUpTo } from '../../../platform/database/entities/count-up-to';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { exactJson } from '../../../platform/values/exact-json';
import { parseDecimalInt64 } from '../../../platform/values/int64';
import { AuditTrailService } from '../../audit/audit-trail.service';
import { fieldNamed, personalFields } from '../record-fields';
import { RecordNotFoundError } from '../records.errors';
import { RecordsService } from '../records.service';
import type { StoredRecord } from '../stored-record';
import { type TraceName, TRACES, TracesRepository } from './traces.repository';

/** Equal members of events. */
type SubjectFilter = Partial<Pick<AuditEvent, 'subjectType' | 'subjectId' | 'actor'>>;

/** Limit to which rows are counted: counting reads every row that it counts. */
export const MOST_HELD = 10_000;

/** Numbers of rows that the service has of a subject, at most one more than {@link MOST_HELD} each. */
export interface HeldCounts extends Readonly<Record<TraceName, number>> {
  /** 1 if there is a record, even a removed one. */
  readonly record: number;
  /** Audit events about the subject. */
  readonly auditEvents: number;
  /** Audit events of changes that the subject made. */
  readonly changesMade: number;
  /** Other audit events that hold values of the subject. */
  readonly eventsAboutOthers: number;
}

/** What an erasure leaves as it is. */
export interface Staying {
  /** Noun for the subject. */
  readonly one: string;
  /** Labels of its fields. */
  readonly fields: readonly string[];
  /** State that the subject has to be in before the erasure. */
  readonly end: 'removed' | 'revoked';
}

/** A record that is the subject of audit events. */
export interface HeldRecord {
  readonly recordType: AdminRecords;
  readonly record: StoredRecord;
}

/** Finds all that the service has of a subject of audit events. */
@Injectable()
export class HeldService {
  constructor(
    private readonly traces: TracesRepository,
    private readonly trail: AuditTrailService,
    private readonly records: RecordsService,
    private readonly keys: ApiKeysService,
    private readonly database: Database,
  ) {}

  async count(subject: Subject): Promise<HeldCounts> {
    const [about, by] = filtersOf(subject);
    return {
      record: (await this.recordOf(subject)) ? 1 : 0,
      auditEvents: await this.countEvents(about),
      changesMade: by ? await this.countEvents(by) : 0,
      eventsAboutOthers: await this.trail.countAboutOthers(subject, MOST_HELD + 1),
      ...(await this.traces.count(subject, MOST_HELD + 1)),
    };
  }

  /**
   * Yields all that is held as JSON, in pieces, with one page of rows in memory at a time: an object with `subject`, `record`
   * (null if there is none) and a list for each other member of {@link HeldCounts}. They are stable: scripts read them.
   */
  async *json(subject: Subject): AsyncGenerator<string, void, undefined> {
    const found = await this.recordOf(subject);
    yield `{"subject":${JSON.stringify(subjectText(subject))},\n"record":${exactJson(found?.record.values ?? null)}`;
    const [about, by] = filtersOf(subject);
    yield* list('auditEvents', this.trail.pages(about));
    yield* list('changesMade', by ? this.trail.pages(by) : []);
    yield* list('eventsAboutOthers', this.trail.aboutOthers(subject));
    for (const name of TRACES) yield* list(name, this.traces.pages(subject, name));
    yield '\n}\n';
  }

  /** Finds the record of a subject, even if it is removed. */
  async recordOf({ type, id: text }: Subject): Promise<HeldRecord | undefined> {
    const recordType = this.records.recordTypeNamed(type);
    const id = parseDecimalInt64(text);
    if (!recordType || id === undefined) return undefined;
    try {
      return { recordType, record: await this.records.get(recordType, id) };
    } catch (error) {
      if (error instanceof RecordNotFoundError) return undefined;
      throw error;
    }
  }

  /** True unless the subject is a record whose module marks no field as personal. */
  hasPersonalFields({ type }: Subject): boolean {
    const recordType = this.records.recordTypeNamed(type);
    return !recordType || personalFields(recordType.record).length > 0;
  }

  /** Names the fields of a record's type that identify a person; none for another subject. */
  personalFieldsOf({ type }: Subject): string[] {
    const recordType = this.records.recordTypeNamed(type);
    return recordType ? personalFields(recordType.record) : [];
  }

  /** Finds a key that has an owner; undefined if the subject is none. */
  async keyOf({ type, id }: Subject): Promise<{ readonly hasEnded: boolean } | undefined> {
    const key = type === 'keys' ? (await this.keys.byId([id])).get(id) : undefined;
    return key && key.owner !== null ? { hasEnded: this.keys.hasEnded(key) } : undefined;
  }

  /** Finds what an erasure would leave, because the record is not removed or the key is not revoked. */
  async staying(subject: Subject): Promise<Staying | undefined> {
    const found = await this.recordOf(subject);
    if (found) {
      const { one, record } = found.recordType;
      const fields = found.record.removedAt ? [] : personalFieldsIn(found);
      const labels = fields.map((name) => fieldNamed(record, name)?.label ?? name);
      return fields.length > 0 ? { one, fields: labels, end: 'removed' } : undefined;
    }
    return (await this.keyOf(subject))?.hasEnded === false
      ? { one: 'API key', fields: ['Owner'], end: 'revoked' }
      : undefined;
  }

  private countEvents(where: SubjectFilter): Promise<number> {
    return this.database.scan(AuditEvent, (events) =>
      countRowsUpTo(events.createQueryBuilder('event').select('event.id').where(where), MOST_HELD + 1),
    );
  }
}

/** Names the fields of a record that identify a person and are not erased. */
export function personalFieldsIn({ recordType, record: { values } }: HeldRecord): string[] {
  return personalFields(recordType.record).filter(
    (name) => values[name] !== undefined && !isBlank(values[name]),
  );
}

function isBlank(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isErased(value);
}

/** Filters for the events about a subject and, of a person or a key, for those of changes that it made. */
function filtersOf(subject: Subject): [SubjectFilter, SubjectFilter | undefined] {
  const { type, id } = subject;
  return [{ subjectType: type, subjectId: id }, isOperator(subject) ? { actor: id } : undefined];
}

async function* list(
  name: string,
  pages: AsyncIterable<readonly object[]> | Iterable<readonly object[]>,
): AsyncGenerator<string, void, undefined> {
  yield `,\n"${name}":[`;
  let separator = '\n';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((row) => exactJson(row)).join(',\n');
    separator = ',\n';
  }
  yield ']';
}
