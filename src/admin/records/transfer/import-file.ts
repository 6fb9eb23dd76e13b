import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { BYTE_ORDER_MARK } from '../../../platform/values/byte-order-mark';
import { csvRows } from './csv-rows';
import type { ImportFormat } from './formats';
import type { ImportRun } from './import-run.entity';
import { ndjsonRows } from './ndjson-rows';
import type { SourceRow } from './source-row';
import { MalformedFileError, TemporaryFileError } from './transfer.errors';

/** Bytes read and parsed in one turn of the event loop: 10 ms if each byte is a row. */
const CHUNK_BYTES = 16_384;
const BYTE_ORDER_MARK_BYTES = Buffer.from(BYTE_ORDER_MARK);
/** With its byte order mark; without, the first character has an empty byte. */
const UTF_16 = /^(?:\xff\xfe|\xfe\xff|\0[^\0]|[^\0]\0)/;
/** A workbook of Excel or LibreOffice, which is a ZIP archive; one of Excel before 2007. */
const WORKBOOK = /^(?:PK[^\w\s,;"]|\xd0\xcf)/;

/** Facts about a file that has been read completely. */
export interface FileScan {
  /** SHA-256 in hexadecimal digits. */
  readonly digest: string;
  readonly rows: number;
}

/** Reads bytes from a position, more than once. */
type ReadFrom = (start: number) => Readable;

/** A file whose rows are to be imported. It is opened once, so it stays the same file even if its name is given to another. */
export class ImportFile {
  private constructor(
    private readonly read: ReadFrom,
    /** Name of the file for people. */
    readonly name: string,
    readonly format: ImportFormat,
    private readonly start: number,
    private readonly handle?: FileHandle,
  ) {}

  /** The byte order mark with which the file begins; empty without it. */
  get byteOrderMark(): string {
    return this.start > 0 ? BYTE_ORDER_MARK : '';
  }

  /** @throws MalformedFileError, or the operating system's error */
  static async open(path: string, name: string, format: ImportFormat): Promise<ImportFile> {
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(3), 0, 3, 0);
      const start = startOf(buffer.subarray(0, bytesRead));
      const read: ReadFrom = (from) =>
        handle.createReadStream({ start: from, autoClose: false, highWaterMark: CHUNK_BYTES });
      return new ImportFile(read, name, format, start, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Opens a file whose bytes are in memory. @throws MalformedFileError */
  static of(bytes: Buffer, name: string, format: ImportFormat): ImportFile {
    const read: ReadFrom = (from) => Readable.from(chunksOf(bytes.subarray(from)), { objectMode: false });
    return new ImportFile(read, name, format, startOf(bytes));
  }

  /** Opens a file that was stored to be imported. */
  static async stored(
    read: ReadFrom,
    { fileName, format }: Pick<ImportRun, 'fileName' | 'format'>,
  ): Promise<ImportFile> {
    for await (const head of read(0) as AsyncIterable<Buffer>)
      return new ImportFile(read, fileName, format as ImportFormat, startOf(head));
    return new ImportFile(read, fileName, format as ImportFormat, 0);
  }

  /**
   * Opens a stream: it is copied to a temporary file, because an import reads twice.
   *
   * @throws TemporaryFileError, or the errors of {@link open}
   */
  static async openStream(
    source: Readable,
    name: string,
    format: ImportFormat,
    signal?: AbortSignal,
  ): Promise<ImportFile> {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-import-')).catch((error: unknown) => {
      throw new TemporaryFileError(name, error as Error);
    });
    try {
      const path = join(folder, 'input');
      try {
        await pipeline(source, createWriteStream(path, { mode: 0o600 }), signal ? { signal } : {});
      } catch (error) {
        const { syscall } = error as NodeJS.ErrnoException;
        throw syscall === 'write' ? new TemporaryFileError(name, error as Error) : error;
      }
      return await ImportFile.open(path, name, format);
    } finally {
      // An open file remains without its name until it is closed or the process ends, however it ends.
      await rm(folder, { recursive: true });
    }
  }

  /** Reads the whole file, only to find its rows. @throws MalformedFileError */
  async scan(recordType: AdminRecords): Promise<FileScan> {
    const hash = createHash('sha256');
    let rows = 0;
    for await (const some of this.rows(recordType, (chunk) => hash.update(chunk))) rows += some.length;
    return { digest: hash.digest('hex'), rows };
  }

  /**
   * Yields the rows, some at a time, without a header. Other work has its turn in between.
   *
   * @param onChunk called with the bytes as they are read
   * @throws MalformedFileError
   */
  async *rows(recordType: AdminRecords, onChunk?: (chunk: Buffer) => void): AsyncGenerator<SourceRow[]> {
    const bytes = this.read(this.start);
    const watched = onChunk ? Readable.from(watching(bytes, onChunk), { objectMode: false }) : bytes;
    for await (const rows of this.format === 'csv'
      ? csvRows(recordType, watched)
      : ndjsonRows(recordType, watched)) {
      yield rows;
      await turn();
    }
  }

  /** Computes {@link FileScan.digest} without a look at the rows. */
  async digest(): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of this.read(this.start) as AsyncIterable<Buffer>) hash.update(chunk);
    return hash.digest('hex');
  }

  /** Yields all bytes in parts of a size; the last may be smaller. */
  async *parts(size: number): AsyncGenerator<Buffer> {
    let part: Buffer[] = [];
    let left = size;
    for await (const chunk of this.read(0) as AsyncIterable<Buffer>) {
      let rest = chunk;
      for (; rest.length >= left; left = size) {
        yield Buffer.concat([...part, rest.subarray(0, left)]);
        rest = rest.subarray(left);
        part = [];
      }
      part.push(rest);
      left -= rest.length;
    }
    if (left < size) yield Buffer.concat(part);
  }

  async close(): Promise<void> {
    await this.handle?.close();
  }
}

async function* watching(bytes: Readable, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    onChunk(chunk);
    yield chunk;
  }
}

/** The offset of the first row: after the byte order mark, if any. @throws MalformedFileError */
function startOf(head: Buffer): number {
  const first = head.subarray(0, BYTE_ORDER_MARK_BYTES.length);
  const bytes = first.toString('latin1');
  if (UTF_16.test(bytes)) throw new MalformedFileError('The file is UTF-16; save it as UTF-8.');
  if (WORKBOOK.test(bytes)) throw new MalformedFileError('The file is a workbook; save its sheet as CSV.');
  return first.equals(BYTE_ORDER_MARK_BYTES) ? first.length : 0;
}

/** Cuts bytes into chunks of which each is read in a turn of the event loop. */
export function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
