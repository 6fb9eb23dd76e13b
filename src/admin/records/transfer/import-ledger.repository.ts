import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual, MoreThan, MoreThanOrEqual, Not } from 'typeorm';
import { currentActor } from '../../../platform/security/actor';
import { Database } from '../../../platform/database/database';
import { isUniqueViolation } from '../../../platform/database/driver/driver-errors';
import { EntityRepository, type New } from '../../../platform/database/entities/entity-repository';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { storableText } from '../../../platform/values/kinds/text.kind';
import { idRanges, idsIn } from '../../audit/id-ranges';
import type { LeftAlone } from '../record-change';
import { type RecordValues, versionOf } from '../stored-record';
import { ImportBatch } from './import-batch.entity';
import { ImportRun } from './import-run.entity';

/** Characters of a version that are kept: 48 bits, for a tenth of what a row itself takes. */
const KEPT = 8;

/** Characters of refused rows that are kept of an import; a file may be refused whole. */
const MOST_REFUSED = 33_554_432;

/** Progress of an import that was just begun. */
export const NOTHING_YET = { rows: 0n, imported: 0n, refused: 0n };

/** The columns that identify the content of an import. */
export type ImportContent = Pick<ImportRun, 'kind' | 'format' | 'digest'>;

/** Columns of an import to change. */
export type ImportChanges = Partial<New<ImportRun>>;

/** A record that an import added, and the beginning of its version then. */
export interface AddedRecord {
  readonly id: bigint;
  readonly version: string;
}

/** Reads and writes the ledger of imports: a row for each import, and for each of its batches what that added and refused. */
@Injectable()
export class ImportLedger {
  private readonly runs = new EntityRepository(this.database, ImportRun);
  private readonly batches = new EntityRepository(this.database, ImportBatch);

  constructor(private readonly database: Database) {}

  /** The newest import of a content. */
  latest(content: ImportContent): Promise<ImportRun | null> {
    return this.runs.repository.findOne({ where: content, order: { round: 'DESC' } });
  }

  /** The newest import of a content as it is once no other process is changing it, until the transaction in progress ends. */
  async latestForUpdate(content: ImportContent): Promise<ImportRun | null> {
    const latest = await this.latest(content);
    return latest && this.findForUpdate(latest.id);
  }

  /** The import of records of a type with a number, if there is one. */
  async find({ name }: AdminRecords, id: bigint): Promise<ImportRun | undefined> {
    const run = await this.runs.findOne(id);
    return run?.kind === name ? run : undefined;
  }

  /** The imports of records of a type that were under way at a time, those included that were ended before their end. */
  underWay({ name: kind }: AdminRecords, at: Date): Promise<ImportRun[]> {
    const begun = { kind, startedAt: LessThanOrEqual(at) };
    return this.runs.repository.find({
      where: [
        { ...begun, finishedAt: IsNull() },
        { ...begun, finishedAt: MoreThanOrEqual(at) },
      ],
    });
  }

  /** The import with a number, which no other process can begin with before the transaction in progress ends. */
  findForUpdate(id: bigint): Promise<ImportRun | null> {
    return this.runs.findOneForUpdate(id);
  }

  /**
   * Stores an import of which nothing is done yet.
   *
   * @param round the how-manieth of its content
   * @returns undefined if another process has just begun it
   */
  async begin(content: ImportContent, fileName: string, round: number): Promise<ImportRun | undefined> {
    const run: New<ImportRun> = {
      ...content,
      ...NOTHING_YET,
      round,
      fileName,
      job: null,
      startedBy: currentActor().name,
      startedAt: new Date(),
      finishedAt: null,
      undoActor: null,
      undone: null,
      leftAlone: null,
      undoneAt: null,
    };
    try {
      return await this.database.attempt(() => this.runs.insert(run));
    } catch (error) {
      if (isUniqueViolation(error)) return undefined;
      throw error;
    }
  }

  async change(id: bigint, changes: ImportChanges): Promise<void> {
    await this.runs.repository.update({ id }, changes);
  }

  /**
   * Stores what a batch added and refused.
   *
   * @param refused part of the file of refused rows; once there are too many, its size alone is stored
   */
  async add(runId: bigint, added: readonly RecordValues[], refused: string): Promise<void> {
    if (added.length === 0 && refused === '') return;
    const size = refused === '' ? 0 : (await this.refusedSize(runId)) + refused.length;
    const sorted = added.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    await this.batches.insert({
      runId,
      at: new Date(),
      records: sorted.length,
      ids: idRanges(sorted.map(({ id }) => id)),
      versions: sorted.map((values) => beginOfVersion(versionOf(values))).join(''),
      leftAlone: null,
      refusedSize: refused.length,
      refused: size > 0 && size <= MOST_REFUSED ? storableText(refused) : null,
    });
  }

  /** Number of records of an import that an undo has still to look at. */
  async remaining(runId: bigint): Promise<number> {
    return (await this.batches.repository.sum('records', { runId })) ?? 0;
  }

  /** The batch of an import with records that an undo has still to look at: the newest, which may refer to those before. */
  newest(runId: bigint): Promise<ImportBatch | null> {
    return this.batches.repository.findOne({ where: { runId, records: MoreThan(0) }, order: { id: 'DESC' } });
  }

  /** Takes the last records off a batch, and stores which of them were left alone. */
  async shorten(batch: ImportBatch, by: number, leftAlone: readonly LeftAlone[]): Promise<void> {
    const records = batch.records - by;
    const before = JSON.parse(batch.leftAlone ?? '[]') as object[];
    const all = [...before, ...leftAlone.map(({ id, ...rest }) => ({ id: String(id), ...rest }))];
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

  /** Records that the undo of an import left alone: so many of them, those of the newest batches first. */
  async leftAlone(runId: bigint, limit: number): Promise<LeftAlone[]> {
    const where = { runId, leftAlone: Not(IsNull()) };
    const found = await this.batches.repository.find({ where, order: { id: 'DESC' }, take: limit });
    return found
      .flatMap(({ leftAlone }) => JSON.parse(leftAlone ?? '[]') as (Omit<LeftAlone, 'id'> & { id: string })[])
      .slice(0, limit)
      .map(({ id, ...rest }) => ({ id: BigInt(id), ...rest }));
  }

  /** True unless an import refused more rows than are kept. */
  async keepsRefused(runId: bigint): Promise<boolean> {
    return (await this.refusedSize(runId)) <= MOST_REFUSED;
  }

  /** Characters of the refused rows of an import, until they are removed. */
  async refusedSize(runId: bigint): Promise<number> {
    return (await this.batches.repository.sum('refusedSize', { runId })) ?? 0;
  }

  /** Yields the refused rows of an import that are kept, as a file in parts. */
  async *refused(runId: bigint): AsyncGenerator<string> {
    for (let after = 0n; ;) {
      const where = { runId, id: MoreThan(after), refusedSize: MoreThan(0) };
      const batch = await this.batches.repository.findOne({ where, order: { id: 'ASC' } });
      if (!batch) return;
      yield batch.refused ?? '';
      after = batch.id;
    }
  }

  /** Deletes some of what was added or refused before a time. @returns true if more may be left */
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
