import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log';
import { erasedText, isErased, type Subject } from '../../platform/audit/committed-event';
import { ERASURE_ACTION } from '../../platform/audit/erasure-action';
import { PersonalValues } from '../../platform/audit/personal-values';
import { Database } from '../../platform/database/database';
import type { AdminRecords } from '../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../platform/values/int64';
import type { AuditFilter } from '../../platform/audit/audit-events.repository';
import { type AuditEntry, AuditTrailService } from '../audit/audit-trail.service';
import { personalFields } from '../records/record-fields';
import { RecordNotFoundError } from '../records/records.errors';
import { RecordsService } from '../records/records.service';
import type { StoredRecord } from '../records/stored-record';
import { truncateWal } from './truncate-wal';
import { type Traces, TracesRepository } from './traces.repository';

/** All that the service has of a subject. The members are stable: scripts read them. */
export interface Held extends Traces {
  /** The record as it is, even if it is removed; null if there is none. */
  readonly record: Readonly<Record<string, unknown>> | null;
  /** Audit events about the subject, newest first. */
  readonly auditEvents: readonly AuditEntry[];
  /** Audit events of changes that the subject made, newest first. */
  readonly changesMade: readonly AuditEntry[];
}

/** The result of an erasure. The members are stable: scripts read them. */
export interface Erasure {
  /** The event about it. */
  readonly event: bigint;
  /** Values of the audit log that were erased. */
  readonly values: number;
  /** Fields of the record that still tell of a person, because it is not removed or they need a value. */
  readonly left: readonly string[];
  /** True if what was overwritten is no longer in the file of the database, either; on PostgreSQL it is in none from the start. */
  readonly isOffDisk: boolean;
}

/** Finds and erases what the service has of a subject of audit events. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly personal: PersonalValues,
    private readonly traces: TracesRepository,
    private readonly trail: AuditTrailService,
    private readonly records: RecordsService,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  async held(subject: Subject): Promise<Held> {
    const found = await this.recordOf(subject);
    const isOperator = ['keys', 'people'].includes(subject.type);
    return {
      record: found?.record.values ?? null,
      auditEvents: await this.events({ subjectType: subject.type, subjectId: subject.id }),
      changesMade: isOperator ? await this.events({ actor: subject.id }) : [],
      ...(await this.traces.find(subject)),
    };
  }

  /**
   * Erases what tells of a person in the audit log under a subject, in its removed record, and elsewhere, in one transaction that
   * also records the erasure. Erasing again erases what has come since.
   */
  async erase(subject: Subject, reason: string): Promise<Erasure> {
    const done = await this.database.transaction(async () => {
      const values = await this.personal.erase(subject);
      const left = await this.eraseRecord(subject);
      await this.traces.erase(subject);
      const event = await this.audit.record({ action: ERASURE_ACTION, subject, after: { reason, values } });
      return { event, values, left };
    });
    return { ...done, isOffDisk: await truncateWal(this.database) };
  }

  /** @returns the personal fields that are left */
  private async eraseRecord(subject: Subject): Promise<string[]> {
    const found = await this.recordOf(subject);
    if (!found) return [];
    const { recordType, record } = found;
    const { entity } = recordType;
    const { values } = record;
    const present = personalFields(recordType.record).filter(
      (name) => values[name] !== undefined && !isErased(values[name]),
    );
    if (!record.removedAt) return present;
    const blanks = present.map((name) => {
      const column = this.database.dataSource.getMetadata(entity).findColumnWithPropertyName(name);
      if (column?.isNullable) return [name, null];
      // The column may be unique.
      return [name, column?.type === 'text' ? erasedText(values.id) : undefined];
    });
    const change = Object.fromEntries(blanks.filter(([, blank]) => blank !== undefined)) as object;
    if (Object.keys(change).length > 0) {
      await this.database.dataSource.getRepository(entity).update({ id: values.id }, change);
    }
    return present.filter((name) => !(name in change));
  }

  private async recordOf(
    subject: Subject,
  ): Promise<{ recordType: AdminRecords; record: StoredRecord } | undefined> {
    const recordType = this.records.recordTypeNamed(subject.type);
    const id = parseDecimalInt64(subject.id);
    if (!recordType || id === undefined) return undefined;
    try {
      return { recordType, record: await this.records.get(recordType, id) };
    } catch (error) {
      if (error instanceof RecordNotFoundError) return undefined;
      throw error;
    }
  }

  private async events(filter: AuditFilter): Promise<AuditEntry[]> {
    const entries: AuditEntry[] = [];
    for await (const page of this.trail.pages(filter)) entries.push(...page);
    return entries;
  }
}
