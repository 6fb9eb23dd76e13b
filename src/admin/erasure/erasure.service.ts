import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log';
import { erasedText, type Subject } from '../../platform/audit/committed-event';
import { ERASURE_ACTION } from '../../platform/audit/erasure-action';
import { PersonalValues } from '../../platform/audit/personal-values';
import { Database } from '../../platform/database/database';
import { HeldService, personalFieldsIn } from './held.service';
import { truncateWal } from './truncate-wal';
import { TracesRepository } from './traces.repository';

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

/** Erases what the service has of a subject of audit events. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly personal: PersonalValues,
    private readonly traces: TracesRepository,
    private readonly held: HeldService,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

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
    const found = await this.held.recordOf(subject);
    if (!found) return [];
    const present = personalFieldsIn(found);
    const { entity } = found.recordType;
    const { values, removedAt } = found.record;
    if (!removedAt) return present;
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
}
