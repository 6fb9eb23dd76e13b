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

/** Writes some refused rows as a part of a file: the first part if none were written before. */
export type RefusalWriter = (refusals: readonly Refusal[], isFirst: boolean) => string;

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
  if (format === 'ndjson') return (refusals) => refusals.map(jsonLine).join('');
  // The file is corrected where the imported one was written: a spreadsheet reads UTF-8 only with its mark, and the cells only with
  // its own separator.
  const { separator } = dialectOf(header);
  const begin = `${byteOrderMark}${REFUSAL_MEMBERS.join(separator)}${separator}${header}\r\n`;
  return (refusals, isFirst) => {
    const rows = refusals.map((refusal) => csvLine(refusal, separator));
    return rows.length > 0 && isFirst ? begin + rows.join('') : rows.join('');
  };
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
