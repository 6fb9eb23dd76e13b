import { Injectable } from '@nestjs/common';
import type { EntityMetadata } from 'typeorm';
import { AuditLog } from '../../../platform/audit/audit-log';
import { erasedText } from '../../../platform/audit/erased';
import type { Subject } from '../../../platform/audit/subject';
import { Database } from '../../../platform/database/database';
import { truncateWal } from '../../../platform/database/truncate-wal';
import { yieldToWriters } from '../../../platform/database/yield-to-writers';
import { isValid } from '../record-values';
import { ErasedEvents, type ErasePiece } from './erased-events.repository';
import { HeldService, personalFieldsIn } from './held.service';
import { TracesRepository } from './traces.repository';

/** Action of the event about an erasure, whose subject is the one that is erased. */
export const ERASURE_ACTION = 'audit.erase';

/** The result of an erasure. The members are stable: scripts read them. */
export interface Erasure {
  /** The event about it. */
  readonly event: bigint;
  /** Values of the audit log that were erased. */
  readonly values: number;
  /**
   * Fields that still identify a person: the record is not removed, their rules refuse the text in place of a value, or the key is
   * not revoked.
   */
  readonly left: readonly string[];
  /** False for a record whose module marks no field as personal: then nothing in it is erased. */
  readonly hasPersonalFields: boolean;
  /** False if the file of SQLite still has what was overwritten. PostgreSQL reuses the pages later. */
  readonly isOffDisk: boolean;
}

/** Erases what the service has of a subject of audit events. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly events: ErasedEvents,
    private readonly traces: TracesRepository,
    private readonly held: HeldService,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /**
   * Erases what identifies a person in the audit log under a subject, in its removed record, and elsewhere. Events and addresses of
   * clients go piece by piece, so that no other writer waits for all of them, after the erasure is recorded. Erasing again erases what
   * has come since, and what an interrupted erasure left.
   */
  async erase(subject: Subject, reason: string): Promise<Erasure> {
    const lastChange = await this.eraseAddresses(subject);
    const event = await this.database.transaction(() =>
      this.audit.record({ action: ERASURE_ACTION, subject, after: { reason } }),
    );
    let values = 0;
    for (const erase of this.events.erasures(subject, this.held.personalFieldsOf(subject), event)) {
      values += await this.inPieces(erase);
    }
    const left = await this.database.transaction(async () => {
      const kept = [...(await this.eraseRecord(subject)), ...(await this.eraseKey(subject))];
      await this.traces.erase(subject, lastChange);
      return kept;
    });
    const hasPersonalFields = this.held.hasPersonalFields(subject);
    return { event, values, left, hasPersonalFields, isOffDisk: await truncateWal(this.database) };
  }

  /** @returns the number of erased values */
  private async inPieces(erase: ErasePiece): Promise<number> {
    let values = 0;
    for (let after: bigint | undefined = 0n; after !== undefined;) {
      const begun = performance.now();
      const last: bigint = after;
      const piece = await this.database.transaction(() => erase(last));
      values += piece.values;
      after = piece.next;
      await yieldToWriters(this.database, begun);
    }
    return values;
  }

  /** @returns id of the last change by a client whose address is erased; 0 if there is none */
  private async eraseAddresses(subject: Subject): Promise<bigint> {
    let last = 0n;
    await this.inPieces(async (after) => {
      const next = await this.traces.eraseAddresses(subject, after);
      last = next ?? after;
      return { values: 0, next };
    });
    return last;
  }

  /** @returns the members of a key that are left, because it can be used */
  private async eraseKey(subject: Subject): Promise<string[]> {
    const key = await this.held.keyOf(subject);
    if (!key) return [];
    if (!key.hasEnded) return ['owner'];
    await this.traces.eraseOwner(subject.id);
    return [];
  }

  /** @returns the personal fields that are left */
  private async eraseRecord(subject: Subject): Promise<string[]> {
    const found = await this.held.recordOf(subject);
    if (!found) return [];
    const present = personalFieldsIn(found);
    const { entity } = found.recordType;
    const { values, removedAt } = found.record;
    if (!removedAt) return present;
    const metadata = this.database.dataSource.getMetadata(entity);
    await this.eraseRetired(metadata, values.id);
    const blanks = present.map((name) => {
      const column = metadata.findColumnWithPropertyName(name);
      if (column?.isNullable) return [name, null];
      // The column may be unique.
      const blank = column?.isArray ? [] : erasedText(values.id);
      return [name, column && isValid(found.recordType.record, name, blank) ? blank : undefined];
    });
    const change = Object.fromEntries(blanks.filter(([, blank]) => blank !== undefined)) as object;
    if (Object.keys(change).length > 0) {
      await this.database.dataSource.getRepository(entity).update({ id: values.id }, change);
    }
    return present.filter((name) => !(name in change));
  }

  /**
   * Erases what a record still has in columns marked `RETIRED`, whether it identifies a person or not: no field says so any more. An
   * update of TypeORM leaves such columns out.
   */
  private async eraseRetired({ tableName, columns }: EntityMetadata, id: bigint): Promise<void> {
    const { dataSource, engine } = this.database;
    const { driver } = dataSource;
    const blanks = columns
      .filter(({ isSelect, isInsert, isUpdate }) => !isSelect && !isInsert && !isUpdate)
      .map((column) => {
        const blank = column.isNullable ? 'NULL' : driver.normalizeDefault(column);
        return `${driver.escape(column.databaseName)} = ${blank}`;
      });
    if (blanks.length === 0) return;
    const parameter = engine === 'postgres' ? '$1' : '?';
    await dataSource.query(
      `UPDATE ${driver.escape(tableName)} SET ${blanks.join(', ')} WHERE "id" = ${parameter}`,
      [id],
    );
  }
}
