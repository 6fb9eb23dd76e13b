import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log';
import { PreconditionFailedError } from '../../platform/errors/http-errors';
import type { AdminRecords } from '../../platform/features/admin-records';
import { exactJson } from '../../platform/values/exact-json';
import { RecordChangedError, RecordNotFoundError, RecordRemovedError } from './records.errors';
import { RecordsRepository } from './records.repository';
import { type RecordValues, versionOf } from './stored-record';

/** Locks records for a change, and names who changed them last. */
@Injectable()
export class LockedRecords {
  constructor(
    private readonly records: RecordsRepository,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Reads and locks a record: no other transaction changes it before this one ends.
   *
   * @throws RecordNotFoundError, or RecordRemovedError
   */
  async find(recordType: AdminRecords, id: bigint): Promise<RecordValues> {
    const found = await this.records.find(recordType, id, true);
    if (!found) throw new RecordNotFoundError(recordType.one, id);
    if (!found.removedAt) return found.values;
    const by = await this.whoMade(recordType, id);
    throw new RecordRemovedError(recordType.one, id, by);
  }

  /** @throws RecordChangedError if the record no longer has the version */
  async assertVersion(recordType: AdminRecords, now: RecordValues, version: string): Promise<void> {
    if (versionOf(now) !== version) throw await this.changed(recordType, now);
  }

  /** @throws RecordChangedError that says who changed the record, for a failed precondition; any other error unchanged */
  async explain(error: unknown, recordType: AdminRecords, now: RecordValues): Promise<never> {
    throw error instanceof PreconditionFailedError ? await this.changed(recordType, now) : error;
  }

  private async changed(recordType: AdminRecords, now: RecordValues): Promise<RecordChangedError> {
    const by = await this.whoMade(recordType, now.id, now);
    return new RecordChangedError(recordType.one, now.id, by ?? 'an API client');
  }

  /**
   * The actor who made the record's latest state; undefined if the admin tooling did not make it.
   *
   * @param now its present values; unset if it is removed
   */
  private async whoMade(
    recordType: AdminRecords,
    id: bigint,
    now?: RecordValues,
  ): Promise<string | undefined> {
    const event = await this.audit.latest({ type: recordType.name, id });
    if (!event || (now ? event.after !== exactJson(now) : event.action !== `${recordType.name}.remove`))
      return undefined;
    return event.actor;
  }
}
