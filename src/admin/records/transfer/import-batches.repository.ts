import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not } from 'typeorm';
import { Database } from '../../../platform/database/database';
import { EntityRepository } from '../../../platform/database/entities/entity-repository';
import { idRanges, idsIn } from '../../audit/id-ranges';
import { type RecordValues, versionOf } from '../stored-record';
import type { LeftAlone } from '../undo.service';
import { ImportBatch } from './import-batch.entity';

/** Characters of a version that are kept: 48 bits, for a tenth of what a row itself takes. */
const KEPT = 8;

/** A record that an import added, and the beginning of its version then. */
export interface AddedRecord {
  readonly id: bigint;
  readonly version: string;
}

/** Reads and writes what imports added. */
@Injectable()
export class ImportBatchesRepository {
  private readonly batches = new EntityRepository(this.database, ImportBatch);

  constructor(private readonly database: Database) {}

  /** Stores what a batch added. */
  async insert(runId: bigint, added: readonly RecordValues[]): Promise<void> {
    const sorted = added.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    await this.batches.insert({
      runId,
      at: new Date(),
      records: sorted.length,
      ids: idRanges(sorted.map(({ id }) => id)),
      versions: sorted.map((values) => beginOfVersion(versionOf(values))).join(''),
      leftAlone: null,
    });
  }

  /** Number of records of a run that an undo has still to look at. */
  async remaining(runId: bigint): Promise<number> {
    return (await this.batches.repository.sum('records', { runId })) ?? 0;
  }

  /** The batch of a run with records that an undo has still to look at: the newest, which may refer to those before. */
  newest(runId: bigint): Promise<ImportBatch | null> {
    return this.batches.repository.findOne({ where: { runId, records: MoreThan(0) }, order: { id: 'DESC' } });
  }

  /** Takes the last records off a batch, and stores which of them were left alone. A batch of which nothing is left is deleted. */
  async shorten(batch: ImportBatch, by: number, leftAlone: readonly LeftAlone[]): Promise<void> {
    const records = batch.records - by;
    const before = JSON.parse(batch.leftAlone ?? '[]') as object[];
    const all = [...before, ...leftAlone.map(({ id, ...rest }) => ({ id: String(id), ...rest }))];
    if (records === 0 && all.length === 0) {
      await this.batches.repository.delete({ id: batch.id });
      return;
    }
    await this.batches.repository.update(
      { id: batch.id },
      {
        records,
        ids: idRanges(idsIn(batch.ids).slice(0, records)),
        versions: batch.versions.slice(0, records * KEPT),
        leftAlone: all.length > 0 ? JSON.stringify(all) : null,
      },
    );
  }

  /** Records that the undo of a run left alone: so many of them, those of the newest batches first. */
  async leftAlone(runId: bigint, limit: number): Promise<LeftAlone[]> {
    const where = { runId, leftAlone: Not(IsNull()) };
    const found = await this.batches.repository.find({ where, order: { id: 'DESC' }, take: limit });
    return found
      .flatMap(({ leftAlone }) => JSON.parse(leftAlone ?? '[]') as (Omit<LeftAlone, 'id'> & { id: string })[])
      .slice(0, limit)
      .map(({ id, ...rest }) => ({ id: BigInt(id), ...rest }));
  }

  /** Deletes some of the batches before a time. @returns true if more may be left */
  deleteBefore(time: Date): Promise<boolean> {
    return this.batches.deleteBatch('at', time);
  }
}

/** The last records of a batch, so many of them at most. */
export function lastOf({ ids, versions, records }: ImportBatch, limit: number): AddedRecord[] {
  const first = Math.max(0, records - limit);
  return idsIn(ids)
    .slice(first)
    .map((id, index) => {
      const at = (first + index) * KEPT;
      return { id, version: versions.slice(at, at + KEPT) };
    });
}

/** The characters that are kept of a version, `"…"`. */
export function beginOfVersion(version: string): string {
  return version.slice(1, 1 + KEPT);
}
