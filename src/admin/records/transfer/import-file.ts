import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { csvRows } from './csv-rows';
import type { ImportFormat } from './formats';
import { ndjsonRows } from './ndjson-rows';
import type { SourceRow } from './source-row';
import { FileChangedError, MalformedFileError } from './transfer.errors';

const CHUNK_BYTES = 262_144;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const UTF_16 = /^(?:\xff\xfe|\xfe\xff)/;

/** What is known of a file once it was read from beginning to end. */
export interface FileScan {
  /** SHA-256 in hexadecimal digits. */
  readonly digest: string;
  readonly rows: number;
}

/** A file whose rows are to be imported; opened once, so that it stays the same one whatever becomes of its name. */
export class ImportFile {
  private constructor(
    private readonly handle: FileHandle,
    /** As people know it. */
    readonly name: string,
    readonly format: ImportFormat,
    private readonly start: number,
    private readonly version: string,
  ) {}

  /** @throws MalformedFileError, or the operating system's error */
  static async open(path: string, name: string, format: ImportFormat): Promise<ImportFile> {
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(3), 0, 3, 0);
      const head = buffer.subarray(0, bytesRead);
      if (UTF_16.test(head.toString('latin1'))) {
        throw new MalformedFileError('The file is UTF-16; save it as UTF-8.');
      }
      const start = head.equals(BYTE_ORDER_MARK) ? head.length : 0;
      return new ImportFile(handle, name, format, start, await versionOf(handle));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Opens what is no file: it is read twice, so it is put into a temporary one. @throws as {@link open} */
  static async openStream(
    source: Readable,
    name: string,
    format: ImportFormat,
    signal?: AbortSignal,
  ): Promise<ImportFile> {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-import-'));
    try {
      const path = join(folder, 'input');
      await pipeline(source, createWriteStream(path, { mode: 0o600 }), signal ? { signal } : {});
      return await ImportFile.open(path, name, format);
    } finally {
      // Open, it is there without its name, until it is closed or the process ends, however it ends.
      await rm(folder, { recursive: true });
    }
  }

  /** Reads it whole, as far as it takes to find its rows. @throws MalformedFileError */
  async scan(kind: AdminRecords): Promise<FileScan> {
    const hash = createHash('sha256');
    let rows = 0;
    for await (const some of this.rows(kind, (chunk) => hash.update(chunk))) rows += some.length;
    await this.assertUnchanged();
    return { digest: hash.digest('hex'), rows };
  }

  /**
   * Its rows, some at a time, without a header.
   *
   * @param onChunk given the bytes as they are read
   * @throws MalformedFileError
   */
  rows(kind: AdminRecords, onChunk?: (chunk: Buffer) => void): AsyncGenerator<SourceRow[]> {
    const bytes = this.handle.createReadStream({
      start: this.start,
      autoClose: false,
      highWaterMark: CHUNK_BYTES,
    });
    const watched = onChunk ? Readable.from(watching(bytes, onChunk), { objectMode: false }) : bytes;
    return this.format === 'csv' ? csvRows(kind, watched) : ndjsonRows(kind, watched);
  }

  /** @throws FileChangedError */
  async assertUnchanged(): Promise<void> {
    if ((await versionOf(this.handle)) !== this.version) throw new FileChangedError(this.name);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

async function* watching(bytes: Readable, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    onChunk(chunk);
    yield chunk;
  }
}

async function versionOf(handle: FileHandle): Promise<string> {
  const { size, mtimeNs } = await handle.stat({ bigint: true });
  return `${size} ${mtimeNs}`;
}
