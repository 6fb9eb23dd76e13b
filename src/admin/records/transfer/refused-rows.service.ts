import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { AdminRecords } from '../../../platform/features/admin-records';
import type { ImportFile } from './import-file';
import { ImportService } from './import.service';

/** Finds the rows that an import would refuse. */
@Injectable()
export class RefusedRows {
  constructor(private readonly imports: ImportService) {}

  /**
   * Reads the rows of a file that an import would refuse now, as a file to be corrected and imported. No batch is tried before
   * the reader has taken the rows of the one before, and none after the reader has gone.
   */
  read(recordType: AdminRecords, file: ImportFile): Readable {
    const text = new PassThrough();
    const end = new AbortController();
    text.once('close', () => end.abort());
    this.write(recordType, file, text, end.signal).then(
      () => text.end(),
      (error: unknown) => text.destroy(error as Error),
    );
    return text;
  }

  private async write(
    recordType: AdminRecords,
    file: ImportFile,
    text: PassThrough,
    signal: AbortSignal,
  ): Promise<void> {
    const onBatch = async (_done: number, _refused: unknown, refused: string) => {
      if (signal.aborted || text.write(refused)) return;
      await once(text, 'drain', { signal }).catch(() => undefined);
    };
    await this.imports.import(recordType, file, { dryRun: true, signal, onBatch });
  }
}
