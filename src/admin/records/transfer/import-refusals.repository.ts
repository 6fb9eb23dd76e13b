import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { Database } from '../../../platform/database/database';
import { EntityRepository } from '../../../platform/database/entities/entity-repository';
import { ImportRefusal } from './import-refusal.entity';
import type { Refusal, RefusalWriter } from './refusals';

/** Characters of refused rows that are kept of an import; a file may be refused whole. */
const MOST = 4_194_304;

/** Reads and writes the refused rows of imports. */
@Injectable()
export class ImportRefusalsRepository {
  private readonly refusals = new EntityRepository(this.database, ImportRefusal);

  constructor(private readonly database: Database) {}

  /** Stores refused rows, unless there are too many of the import already. */
  async insert(runId: bigint, refused: readonly Refusal[], writer: RefusalWriter): Promise<void> {
    const before = await this.size(runId);
    const text = (before === 0 ? writer.begin : '') + writer.rows(refused);
    if (before + text.length > MOST) return;
    await this.refusals.insert({ runId, at: new Date(), size: text.length, text });
  }

  /** Characters of the refused rows that are kept of an import. */
  async size(runId: bigint): Promise<number> {
    return (await this.refusals.repository.sum('size', { runId })) ?? 0;
  }

  /** Yields the refused rows of an import, as a file in parts. */
  async *read(runId: bigint): AsyncGenerator<string> {
    for (let after = 0n; ;) {
      const where = { runId, id: MoreThan(after) };
      const part = await this.refusals.repository.findOne({ where, order: { id: 'ASC' } });
      if (!part) return;
      yield part.text;
      after = part.id;
    }
  }

  /** Deletes some of the refused rows before a time. @returns true if more may be left */
  deleteBefore(time: Date): Promise<boolean> {
    return this.refusals.deleteBatch('at', time);
  }
}
