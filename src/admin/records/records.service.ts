import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { AdminRecords, AdminRecordsService } from '../../platform/features/admin-records';
import { InjectAdminRecords } from '../../platform/features/admin-records.module';
import { AuditLog, type AuditedChange } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { explainingRefusals } from '../../platform/database/entities/constraint-errors';
import { Precondition } from '../../platform/http/request/precondition';
import { toAppError } from '../../platform/http/response/error.filter';
import type { MergePatch } from '../../platform/validation/merge-patch';
import { forOperators } from './for-operators';
import { actionsOffered, type RecordActions } from './record-actions';
import type { FoundRecords, ListFacts, ListRequest, RecordCount, RecordFilter } from './list-request';
import { LockedRecords } from './locked-records.service';
import {
  type NamingError,
  RecordNotFoundError,
  RecordNotRemovedError,
  RecordRefusedError,
} from './records.errors';
import { bulkChangeOf, changeOf, type RecordedBulk } from './record-change';
import { RecordsRepository } from './records.repository';
import { refuseReservedNames } from './reserved-names';
import { type StoredRecord, type RecordValues, recordValues, versionOf } from './stored-record';

type Service = AdminRecordsService<object, object>;

/** Time limit for a page that a person waits for, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Finds and changes the records of every feature that describes some, by the features' own rules. Every change leaves an audit
 * event in its transaction. The console and the command line both use this service.
 */
@Injectable()
export class RecordsService {
  /** @throws Error if the name of a record type is reserved */
  constructor(
    /** Every record type. */
    @InjectAdminRecords() readonly recordTypes: readonly AdminRecords[],
    private readonly records: RecordsRepository,
    private readonly locked: LockedRecords,
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly modules: ModuleRef,
  ) {
    refuseReservedNames(recordTypes);
  }

  /** The record type with a name, if it exists. */
  recordTypeNamed(name: string): AdminRecords | undefined {
    return this.recordTypes.find((recordType) => recordType.name === name);
  }

  actionsOf(recordType: AdminRecords): RecordActions {
    const offered = actionsOffered(recordType);
    return { ...offered, restore: offered.restore && this.records.keepsRemoved(recordType) };
  }

  /** Abilities of the lists of a record type. */
  listFacts(recordType: AdminRecords): ListFacts {
    return {
      recordType,
      recordTypes: this.recordTypes,
      orders: this.records.orders(recordType),
      isDated: this.records.isDated(recordType),
      keepsRemoved: this.records.keepsRemoved(recordType),
    };
  }

  /** Searches the records of one page, however long it takes. */
  async search(recordType: AdminRecords, request: ListRequest): Promise<StoredRecord[]> {
    return (await this.records.search(recordType, request)).records;
  }

  /** Counts matching records up to a limit, and returns the limit if there are more. */
  async count(recordType: AdminRecords, filter: RecordFilter, limit: number): Promise<number> {
    return (await this.records.count(recordType, filter, limit)).count;
  }

  /** Searches like {@link search}, but stops after a second, for a person who waits. */
  searchBriefly(recordType: AdminRecords, request: ListRequest): Promise<FoundRecords> {
    return this.records.search(recordType, request, LOOK_MS);
  }

  /** Counts like {@link count}, but stops after a second, for a person who waits. */
  estimate(recordType: AdminRecords, filter: RecordFilter, limit: number): Promise<RecordCount> {
    return this.records.count(recordType, filter, limit, LOOK_MS);
  }

  /** Finds one record, even a removed one. @throws RecordNotFoundError */
  async get(recordType: AdminRecords, id: bigint): Promise<StoredRecord> {
    const found = await this.records.find(recordType, id);
    if (!found) throw new RecordNotFoundError(recordType.one, id);
    return found;
  }

  /** The ids among these that belong to records, even removed ones. */
  existing(recordType: AdminRecords, ids: readonly string[]): Promise<Set<string>> {
    return this.records.existing(recordType, ids);
  }

  /** Adds a record. @throws RecordRefusedError, or what the feature's service throws */
  create(recordType: AdminRecords, creation: object): Promise<RecordValues> {
    const service = this.serviceOf(recordType);
    return this.byFeature(async () => {
      if (!service.create) throw new RecordRefusedError(`No ${recordType.one} can be added.`);
      const { item } = await service.create(creation);
      const after = recordValues(recordType, item);
      await this.audit.record(changeOf(recordType, 'create', after.id, undefined, after));
      return after;
    });
  }

  /**
   * Changes a record.
   *
   * @param version the version that the caller saw; without it the record is changed whatever it is
   * @throws RecordNotFoundError, RecordChangedError, RecordRefusedError, or what the feature's service throws
   */
  update(
    recordType: AdminRecords,
    id: bigint,
    patch: MergePatch<object>,
    version?: string,
  ): Promise<RecordValues> {
    return this.byFeature(async () => {
      const before = await this.locked.find(recordType, id);
      const after = await this.change(recordType, before, patch, version);
      if (versionOf(before) !== versionOf(after)) {
        await this.audit.record(changeOf(recordType, 'update', id, before, after));
      }
      return after;
    });
  }

  /**
   * Removes a record: for good, unless it can be restored.
   *
   * @param version as for {@link update}
   * @throws RecordNotFoundError, RecordChangedError, RecordRefusedError, or what the feature's service throws
   */
  remove(recordType: AdminRecords, id: bigint, version?: string): Promise<void> {
    return this.recording(async () =>
      this.removeOne(recordType, await this.locked.find(recordType, id), version),
    );
  }

  /** Restores a removed record. @throws RecordNotFoundError, RecordRefusedError */
  restore(recordType: AdminRecords, id: bigint): Promise<void> {
    return this.recording(() => this.restoreOne(recordType, id));
  }

  /** Removes a record like {@link remove} within the transaction in progress. The caller records the change. */
  async removeOne(recordType: AdminRecords, before: RecordValues, version?: string): Promise<AuditedChange> {
    const service = this.serviceOf(recordType);
    if (!service.delete) throw new RecordRefusedError(`No ${recordType.one} can be removed.`);
    await service
      .delete(before.id, preconditionOf(recordType, version))
      .catch((error: unknown) => this.locked.explain(error, recordType, before));
    return changeOf(recordType, 'remove', before.id, before, undefined);
  }

  /** Restores a record like {@link restore}, within the transaction in progress. The caller records the change. */
  async restoreOne(recordType: AdminRecords, id: bigint): Promise<AuditedChange> {
    const service = this.serviceOf(recordType);
    const found = await this.records.find(recordType, id, true);
    if (!found) throw new RecordNotFoundError(recordType.one, id);
    if (!service.restore || !found.removedAt) throw new RecordNotRemovedError(recordType.one, id);
    const after = recordValues(recordType, await service.restore(id));
    return changeOf(recordType, 'restore', id, undefined, after);
  }

  /**
   * Records changes that were made as one, each by itself and all together, in the transaction in progress.
   *
   * @param details further content of the event about all of them
   */
  async recordBulk(
    recordType: AdminRecords,
    changes: readonly AuditedChange[],
    details: object = {},
  ): Promise<RecordedBulk> {
    const changed = changes.length;
    if (changed === 0) return { changed, change: undefined };
    const change = await this.audit.recordAsOne(bulkChangeOf(recordType, changes, undefined, details));
    return { changed, change };
  }

  /** Changes a record by the feature's rules, within the transaction in progress. The caller records it. */
  async change(
    recordType: AdminRecords,
    before: RecordValues,
    patch: MergePatch<object>,
    version?: string,
  ): Promise<RecordValues> {
    const service = this.serviceOf(recordType);
    if (!service.update) throw new RecordRefusedError(`No ${recordType.one} can be changed.`);
    const updated = await service
      .update(before.id, patch, preconditionOf(recordType, version))
      .catch((error: unknown) => this.locked.explain(error, recordType, before));
    return recordValues(recordType, updated);
  }

  /**
   * Returns the refusal of work on several records because of one of them, which the message names; a fault as it is.
   *
   * @param sentences further sentences of the message
   */
  refusalOf({ one }: AdminRecords, id: bigint, thrown: unknown, ...sentences: readonly string[]): unknown {
    const cause = toAppError(thrown, () => this.database);
    if (cause.status >= 500) return thrown;
    const record = `${one} ${id}`;
    const isNamed = (cause as Partial<NamingError>).record === record;
    const about = isNamed ? cause.message : `The ${record}: ${cause.message}`;
    return new RecordRefusedError({ message: [about, ...sentences].join(' '), cause });
  }

  private recording(change: () => Promise<AuditedChange>): Promise<void> {
    return this.byFeature(async () => void (await this.audit.record(await change())));
  }

  /** Runs work of a feature in a transaction. */
  private byFeature<T>(work: () => Promise<T>): Promise<T> {
    return explainingRefusals(this.database, () => this.database.transaction(work));
  }

  /** The service of a feature, for the records of all owners. */
  serviceOf({ service }: AdminRecords): Service {
    return forOperators(this.modules.get<Service>(service, { strict: false }));
  }
}

function preconditionOf(recordType: AdminRecords, version: string | undefined): Precondition {
  return new Precondition(version, (item) => versionOf(recordValues(recordType, item as object)));
}
