import { type FileHandle, constants, open } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { cellOfText } from './cell-text';
import { dialectOf } from './csv-dialect';
import { REFUSAL_MEMBERS } from './formats';
import type { ImportFile } from './import-file';

/** A row that was not imported. */
export interface Refusal {
  /** The line on which the row begins. */
  readonly line: number;
  readonly reason: string;
  /** The row as it stands in the file, as far as it is text. */
  readonly row: string;
}

/** Writes refused rows as the text of a file. */
export interface RefusalWriter {
  /** Text before the first row. */
  readonly begin: string;
  rows(refusals: readonly Refusal[]): string;
}

/** Writes each refusal as a JSON object on a line of its own. */
export const REFUSALS_AS_JSON: RefusalWriter = {
  begin: '',
  rows: (refusals) => refusals.map((refusal) => `${JSON.stringify(refusal)}\n`).join(''),
};

/**
 * Creates a writer of files in the format of the imported one, with the line and the reason before each row: once the rows are
 * corrected, the file can be imported as it is.
 *
 * @param header of the imported file
 */
export function refusalWriter(
  { format, byteOrderMark }: Pick<ImportFile, 'format' | 'byteOrderMark'>,
  header: string,
): RefusalWriter {
  if (format === 'csv') {
    // The file is corrected where the imported one was written: a spreadsheet reads UTF-8 only with its mark, and the cells only
    // with its own separator.
    const { separator } = dialectOf(header);
    return {
      begin: `${byteOrderMark}${REFUSAL_MEMBERS.join(separator)}${separator}${header}\r\n`,
      rows: (refusals) => refusals.map((refusal) => csvLine(refusal, separator)).join(''),
    };
  }
  return { begin: '', rows: (refusals) => refusals.map(jsonLine).join('') };
}

function csvLine({ line, reason, row }: Refusal, separator: string): string {
  const cells = stringify([[line, cellOfText(reason)]], { eof: false, delimiter: separator });
  return `${cells}${separator}${row}\r\n`;
}

/** Writes a row with the refusal as its first members; one that is no object as a member of its own. */
function jsonLine({ line, reason, row }: Refusal): string {
  const refusal = JSON.stringify({ refusedLine: line, refusedBecause: reason }).slice(0, -1);
  const object = /^\s*\{\s*(\}?[^]*)$/.exec(isObject(row) ? row : JSON.stringify({ row }))?.[1] ?? '}';
  return `${refusal}${object.startsWith('}') ? '' : ','}${object}\n`;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** A file of refused rows. */
export class RejectsFile {
  private constructor(
    private readonly handle: FileHandle,
    private readonly writer: RefusalWriter,
    private position: number,
  ) {}

  /**
   * Opens a file to continue after the part that belongs to finished batches; the rest is removed.
   *
   * @param size bytes that belong to it
   */
  static async open(path: string, size: number, writer: RefusalWriter): Promise<RejectsFile> {
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const position = Math.min(size, (await handle.stat()).size);
    await handle.truncate(position);
    return new RejectsFile(handle, writer, position);
  }

  /** Size in bytes so far. */
  get size(): number {
    return this.position;
  }

  async append(refusals: readonly Refusal[]): Promise<void> {
    if (refusals.length === 0) return;
    const begin = this.position === 0 ? this.writer.begin : '';
    const bytes = Buffer.from(begin + this.writer.rows(refusals));
    // A full disk takes a part first, and says so when the rest is written.
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.handle.write(bytes, at, bytes.length - at, this.position + at);
      at += bytesWritten;
    }
    this.position += bytes.length;
  }

  /** Removes what was appended beyond an earlier size. */
  async shrinkTo(size: number): Promise<void> {
    await this.handle.truncate(size);
    this.position = size;
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}
