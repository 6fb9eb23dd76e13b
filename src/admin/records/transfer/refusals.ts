import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import { CommandError } from '../../../platform/cli/command-error';
import { NewFile } from '../../../platform/cli/new-file';
import { cellOfText } from './cell-text';
import { dialectOf } from './csv-dialect';
import { REFUSAL_MEMBERS } from './formats';
import type { ImportFile } from './import-file';
import type { ImportRun } from './import-run.entity';

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

/** The import whose refused rows are written, as it was stored last. */
export type RefusingRun = Pick<ImportRun, 'id' | 'digest' | 'startedAt' | 'rejectsSize' | 'refused'>;

/** A new file of refused rows. Until the import is complete it is an unfinished one, which the next process continues. */
export class RejectsFile {
  private constructor(
    private readonly file: NewFile,
    private readonly writer: RefusalWriter,
    private position: number,
    /** True if rows that earlier processes have refused are in no file of this name. */
    readonly lacksEarlier: boolean,
  ) {}

  /**
   * Begins a file, or continues that of an earlier process of the import behind the part that belongs to finished batches.
   *
   * @param run undefined for a dry run
   * @throws CommandError
   */
  static async open(path: string, run: RefusingRun | undefined, writer: RefusalWriter): Promise<RejectsFile> {
    if (!run) return new RejectsFile(await NewFile.begin(path), writer, 0, false);
    const earlier = await NewFile.resume(path, markOf(run));
    if (!earlier) return new RejectsFile(await NewFile.begin(path, markOf(run)), writer, 0, run.refused > 0n);
    const size = Number(run.rejectsSize);
    const found = await earlier.handle.stat();
    if (found.size < size) {
      await earlier.leave();
      throw new CommandError(`${earlier.unfinished} lacks refused rows; choose another file for the rest.`);
    }
    await earlier.handle.truncate(size);
    return new RejectsFile(earlier, writer, size, size === 0 && run.refused > 0n);
  }

  /** Size in bytes so far. */
  get size(): number {
    return this.position;
  }

  async append(refusals: readonly Refusal[]): Promise<void> {
    if (refusals.length === 0) return;
    const begin = this.position === 0 ? this.writer.begin : '';
    const bytes = Buffer.from(begin + this.writer.rows(refusals));
    const { handle } = this.file;
    // A full disk takes a part first, and says so when the rest is written.
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, this.position + at);
      at += bytesWritten;
    }
    this.position += bytes.length;
  }

  /** Removes what was appended beyond an earlier size. */
  async shrinkTo(size: number): Promise<void> {
    await this.file.handle.truncate(size);
    this.position = size;
  }

  /** Gives the file its name, unless no row was refused. */
  async complete(): Promise<void> {
    if (this.position > 0) await this.file.complete();
  }

  /** Closes the file; one that is not complete stays if it can be continued. */
  close(mayContinue: boolean): Promise<void> {
    return mayContinue && this.position > 0 ? this.file.leave() : this.file.discard();
  }
}

/** The unfinished file of an import is found by this; nobody else knows when the import began. */
function markOf({ id, digest, startedAt }: RefusingRun): string {
  return createHash('sha256').update(`${id} ${digest} ${startedAt.getTime()}`).digest('hex').slice(0, 32);
}
