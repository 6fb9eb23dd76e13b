import { isUtf8 } from 'node:buffer';
import { pipeline, type Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import type { AdminRecords } from '../../../platform/features/admin-records';
import type { RecordField } from '../record-fields';
import { emptyInCreation, valueOf } from '../record-values';
import { textOfCell } from './cell-text';
import { REFUSAL_MEMBERS } from './formats';
import { MAX_ROW_BYTES, quotedPart, RowBatch, RowMembers, type SourceRow } from './source-row';
import { MalformedFileError, InvalidRowError } from './transfer.errors';

/** Bytes as one character each; text that is not ASCII is decoded cell by cell. */
const ENCODING = 'latin1';

const ASCII = /^[\0-\x7f]*$/;

/** A number as spreadsheets write it: rounded, with decimals, or with a decimal comma. */
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;
/** An integer with all of its digits, of any size. */
const EXACT_INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** The first cell of a file whose cells are separated by something other than commas. */
const OTHER_SEPARATOR = /^(?:"[^"\r\n]*"|[^",\r\n]*?)([;\t])/;

/** A row as the parser found it. */
interface ParsedRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** Length of its cells, in bytes. */
  length: number;
}

interface Column {
  readonly name: string;
  /** Undefined for a column that is skipped. */
  readonly field: RecordField | undefined;
}

/**
 * Reads CSV (RFC 4180; LF for CRLF too) with a header, after a byte order mark if there is one.
 *
 * @throws MalformedFileError if the header is wrong, or if rows can no longer be told apart: at a misplaced or missing
 * quotation mark, and at a row longer than {@link MAX_ROW_BYTES}
 */
export async function* csvRows(recordType: AdminRecords, bytes: Readable): AsyncGenerator<SourceRow[]> {
  let line = 1;
  const parser = parse({
    encoding: ENCODING,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    // Called as each row is found, so that `line` is right when the parser fails. The parser's own count of lines is wrong
    // after CRLF in a cell.
    on_record: (cells: string[]) => {
      const found: ParsedRow = { line, cells, length: 0 };
      line++;
      for (const cell of cells) {
        line += lineEnds(cell);
        found.length += cell.length;
      }
      // Once the parser has counted a row, it creates an error for each row with another number of cells, which takes longer
      // than all the rest and is not used. `CsvRow` compares the numbers.
      (parser.info as { records: number }).records = 0;
      // Its types only allow what a record is without this function.
      return found as unknown as string[];
    },
  });
  let head = '';
  bytes.once('data', (chunk: Buffer) => (head = chunk.toString(ENCODING)));
  pipeline(bytes, parser, () => undefined);
  const members = new RowMembers(recordType);
  let columns: readonly Column[] | undefined;
  const batch = new RowBatch();
  try {
    for await (const found of parser as AsyncIterable<ParsedRow>) {
      if (columns) batch.add(new CsvRow(found, columns, members), found.length);
      else columns = readHeader(found.cells, members);
      if (batch.isFull) yield batch.take();
    }
  } catch (error) {
    if (!columns) refuseOtherSeparators(head);
    throw error instanceof CsvError ? new MalformedFileError(explain(error, line)) : error;
  }
  if (!columns) throw new MalformedFileError('The file is empty; its first line must be a header.');
  if (!batch.isEmpty) yield batch.take();
}

class CsvRow implements SourceRow {
  readonly line: number;
  private readonly cells: readonly string[];

  constructor(
    { line, cells }: ParsedRow,
    private readonly columns: readonly Column[],
    private readonly members: RowMembers,
  ) {
    this.line = line;
    this.cells = cells;
  }

  text(): string {
    const own = this.cells.filter((_cell, index) => !isOfRefusal(this.columns[index]?.name));
    return stringify([own.map((cell) => Buffer.from(cell, ENCODING).toString())], { eof: false });
  }

  header(): string {
    const names = this.columns.map(({ name }) => name).filter((name) => !isOfRefusal(name));
    return stringify([names], { eof: false });
  }

  values(): Record<string, unknown> {
    const { cells, columns, members } = this;
    if (cells.length !== columns.length) {
      const isEmpty = cells.length === 1 && cells[0] === '';
      throw new InvalidRowError(
        isEmpty
          ? 'The line is empty.'
          : `The row has ${cells.length} cells, but the header has ${columns.length}.`,
      );
    }
    const values: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index++) {
      const { name, field } = columns[index] as Column;
      const cell = decode(cells[index] as string, name);
      if (!field) members.refuseRemoved(name, cell);
      else if (cell === '') values[name] = emptyInCreation(field);
      else values[name] = valueOfCell(field, cell);
    }
    return values;
  }
}

/** @throws InvalidRowError if an integer may have lost digits */
function valueOfCell({ name, kind }: RecordField, cell: string): unknown {
  if (kind === 'text') return textOfCell(cell);
  const isInteger = kind === 'int64' || kind === 'integer';
  const text = cell.trim();
  if (isInteger && NUMBER.test(text) && !EXACT_INTEGER.test(text)) {
    throw new InvalidRowError(
      `${name} is ${quotedPart(text)}, which is not an exact integer. A spreadsheet may have rounded it.`,
    );
  }
  return valueOf(kind, cell);
}

function isOfRefusal(column: string | undefined): boolean {
  return column !== undefined && REFUSAL_MEMBERS.includes(column);
}

/** @throws MalformedFileError */
function readHeader(cells: readonly string[], members: RowMembers): Column[] {
  const names = cells.map((cell) => Buffer.from(cell, ENCODING).toString());
  const fault = headerFault(names, members);
  if (fault) throw new MalformedFileError(`Line 1, the header: ${fault}.`);
  return names.map((name) => ({ name, field: members.fieldOf(name) }));
}

/** @param head the beginning of the file @throws MalformedFileError */
function refuseOtherSeparators(head: string): void {
  const separator = OTHER_SEPARATOR.exec(head)?.[1];
  if (separator === undefined) return;
  const name = separator === ';' ? 'semicolons' : 'tabs';
  throw new MalformedFileError(`Line 1, the header: it has ${name}; use commas between the columns.`);
}

function headerFault(names: readonly string[], members: RowMembers): string | undefined {
  if (names.length === 1 && names[0] === '') return 'it is empty';
  const unknown = members.unknownOf(names);
  if (unknown !== undefined) return unknown;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `${twice} is there twice`;
  const missing = members.required.filter((name) => !names.includes(name));
  return missing.length > 0 ? `${missing.join(', ')} is missing` : undefined;
}

/** Decodes the text of a cell. @throws InvalidRowError if it is not UTF-8 */
function decode(cell: string, name: string): string {
  if (ASCII.test(cell)) return cell;
  const bytes = Buffer.from(cell, ENCODING);
  if (!isUtf8(bytes)) throw new InvalidRowError(`${name} is not well-formed UTF-8.`);
  return bytes.toString();
}

function lineEnds(cell: string): number {
  let count = 0;
  for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) count++;
  return count;
}

function explain({ code }: CsvError, line: number): string {
  const row = `Line ${line}: the row that begins here`;
  switch (code) {
    case 'CSV_MAX_RECORD_SIZE':
      return `${row} is longer than ${MAX_ROW_BYTES.toLocaleString('en')} bytes; a quotation mark may be missing in it.`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return `${row} has a quotation mark that is not closed.`;
    default:
      return `${row} has a misplaced quotation mark: put the cell in quotation marks, and double those within it.`;
  }
}
