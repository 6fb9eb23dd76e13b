import { Injectable } from '@nestjs/common';
import type { AuditedChange } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { explainingRefusals } from '../../platform/database/entities/constraint-errors';
import { AppError } from '../../platform/errors/app-error';
import type { AdminRecords } from '../../platform/features/admin-records';
import { toAppError } from '../../platform/http/response/error.filter';
import { changeOf } from './record-change';
import { RecordsRepository } from './records.repository';
import { RecordsService } from './records.service';
import { recordValues, type RecordValues, type StoredRecord } from './stored-record';

/**
 * Records that are removed together, or added or removed one by one, in one transaction: some ten milliseconds of SQLite's write lock.
 * Each transaction is an fsync, which may take as long.
 */
const TOGETHER = 500;
const ONE_BY_ONE = 100;

/**
 * Adds, changes and removes many records within the transaction in progress, by the features' rules: together, or one by one where
 * the feature refuses some. The caller writes one audit event for all of them.
 */
@Injectable()
export class ManyRecords {
  constructor(
    private readonly records: RecordsService,
    private readonly stored: RecordsRepository,
    private readonly database: Database,
  ) {}

  /**
   * Adds records.
   *
   * @returns for each creation the values of its record, or the error that refused it; the others are added all the same
   */
  create(recordType: AdminRecords, creations: readonly object[]): Promise<(RecordValues | AppError)[]> {
    const service = this.records.serviceOf(recordType);
    return this.eachOf(
      creations,
      service.createMany &&
        (async () => {
          const items = (await service.createMany?.(creations)) ?? [];
          return items.map((item) => recordValues(recordType, item));
        }),
      async (creation) => recordValues(recordType, (await service.create?.(creation))?.item ?? {}),
    );
  }

  /** The most records to add in one transaction: as many as a batch has where the feature adds them together. */
  mostAdded(recordType: AdminRecords): number {
    return this.records.serviceOf(recordType).createMany ? Infinity : ONE_BY_ONE;
  }

  /** The most records to remove in one transaction. */
  mostRemoved(recordType: AdminRecords): number {
    return this.records.serviceOf(recordType).deleteMany ? TOGETHER : ONE_BY_ONE;
  }

  /** Finds those of some records that are not removed, and locks them: no other transaction changes one before this one ends. */
  async findLocked(recordType: AdminRecords, ids: readonly bigint[]): Promise<StoredRecord[]> {
    await this.stored.lock(recordType, ids);
    return this.records.search(recordType, { filter: { ids }, limit: ids.length });
  }

  /**
   * Removes records as {@link findLocked} has found them.
   *
   * @returns for each the change, or the error that refused it; the others are removed all the same
   */
  remove(recordType: AdminRecords, found: readonly StoredRecord[]): Promise<(AuditedChange | AppError)[]> {
    const service = this.records.serviceOf(recordType);
    const removeOne = ({ values }: StoredRecord) => this.records.removeOne(recordType, values);
    return this.eachOf(
      found,
      async () => {
        if (!service.deleteMany) return inTurn(found, removeOne);
        await service.deleteMany(found.map(({ values }) => values.id));
        return found.map(({ values }) => changeOf(recordType, 'remove', values.id, values, undefined));
      },
      removeOne,
    );
  }

  /**
   * Does work for each of some records.
   *
   * @returns for each the result, or the error that refused it; the work for the others is done all the same
   */
  each<Thing, Result>(
    things: readonly Thing[],
    work: (thing: Thing) => Promise<Result>,
  ): Promise<(Result | AppError)[]> {
    return this.eachOf(things, () => inTurn(things, work), work);
  }

  /**
   * Does work for each of some things.
   *
   * @param together does it for all of them or for none
   */
  private async eachOf<Thing, Result>(
    things: readonly Thing[],
    together: (() => Promise<Result[]>) | undefined,
    one: (thing: Thing) => Promise<Result>,
  ): Promise<(Result | AppError)[]> {
    if (together && things.length > 1) {
      const results = await this.attempt(together);
      if (!(results instanceof AppError)) return results;
    }
    return inTurn(things, (thing) => this.attempt(() => one(thing)));
  }

  /** Runs work, and returns its result or the error with which the feature refused it; then nothing of it was done. */
  private async attempt<T>(work: () => Promise<T>): Promise<T | AppError> {
    try {
      return await explainingRefusals(this.database, () => this.database.attempt(work));
    } catch (error) {
      const refusal = toAppError(error, () => this.database);
      if (refusal.status < 500) return refusal;
      throw error;
    }
  }
}

async function inTurn<Thing, Result>(
  things: readonly Thing[],
  work: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const thing of things) results.push(await work(thing));
  return results;
}
