import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { LessThan, MoreThanOrEqual } from 'typeorm';
import { Database } from '../../../platform/database/database';
import { isUniqueViolation } from '../../../platform/database/driver/driver-errors';
import { EntityRepository } from '../../../platform/database/entities/entity-repository';
import { yieldToWriters } from '../../../platform/database/yield-to-writers';
import { chunksOf, ImportFile } from './import-file';
import { ImportFilePart } from './import-file-part.entity';
import type { ImportRun } from './import-run.entity';
import { FileChangedError, ImportInProgressError } from './transfer.errors';

/** Size of a part, in bytes: a row that either engine writes in a few milliseconds. */
const PART_BYTES = 262_144;

/** Parts that one statement removes: 8 MiB, so that other work gets its turn. */
const REMOVED_PARTS = 32;

/** Files of imports that have not ended, in the database: any process can go on with an import. */
@Injectable()
export class ImportFiles {
  private readonly parts = new EntityRepository(this.database, ImportFilePart);

  constructor(private readonly database: Database) {}

  /**
   * Stores the file of an import, but for the parts that were stored before. Each part is a transaction of its own.
   *
   * @throws ImportInProgressError if another process stores the same file now, or FileChangedError
   */
  async store(run: ImportRun, file: ImportFile): Promise<void> {
    const { id: runId } = run;
    const stored = await this.parts.repository.countBy({ runId });
    let position = 0;
    for await (const bytes of file.parts(PART_BYTES)) {
      if (position >= stored) await this.add({ runId, position, at: new Date(), bytes }, file.name);
      position++;
    }
    await this.open(run);
  }

  /** Opens the stored file of an import. @throws FileChangedError unless it is whole, and what was to be imported */
  async open(run: ImportRun): Promise<ImportFile> {
    const file = await ImportFile.stored((start) => this.read(run.id, start), run);
    if ((await file.digest()) === run.digest) return file;
    await this.remove(run.id);
    throw new FileChangedError(run.fileName);
  }

  /** Removes the file of an import, some parts at a time. */
  async remove(runId: bigint): Promise<void> {
    const stored = await this.parts.repository.countBy({ runId });
    for (let from = stored; from > 0;) {
      const begun = performance.now();
      from = Math.max(0, from - REMOVED_PARTS);
      await this.parts.repository.delete({ runId, position: MoreThanOrEqual(from) });
      await yieldToWriters(this.database, begun);
    }
  }

  /** Removes a file that was stored before a time. @returns true if more may be left */
  async removeBefore(time: Date): Promise<boolean> {
    const old = await this.parts.repository.findOne({
      select: { runId: true, position: true },
      where: { at: LessThan(time) },
    });
    if (old) await this.remove(old.runId);
    return old !== null;
  }

  private async add(part: ImportFilePart, name: string): Promise<void> {
    const begun = performance.now();
    try {
      await this.parts.repository.insert(part);
    } catch (error) {
      throw isUniqueViolation(error) ? new ImportInProgressError(name) : error;
    }
    await yieldToWriters(this.database, begun);
  }

  private read(runId: bigint, start: number): Readable {
    return Readable.from(this.bytes(runId, start), { objectMode: false });
  }

  private async *bytes(runId: bigint, start: number): AsyncGenerator<Buffer> {
    for (let position = 0; ; position++) {
      const part = await this.parts.repository.findOneBy({ runId, position });
      if (!part) return;
      yield* chunksOf(position === 0 ? part.bytes.subarray(start) : part.bytes);
    }
  }
}
