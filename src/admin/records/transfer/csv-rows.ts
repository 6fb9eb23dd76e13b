import { isAscii, isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { pipeline, type Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import type { AdminRecords } from '../../../platform/features/admin-records';
import type { RecordField } from '../record-fields';
import { emptyInCreation, valueOf } from '../record-values';
import { textOfCell } from './cell-text';
import { type CsvDialect, dialectOf } from './csv-dialect';
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

/** A row as the parser found it. */
interface ParsedRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** Length of its cells, in bytes. */
  length: number;
}

interface Column {
  /** Empty for a column that spreadsheets write because its cells once had something in them. */
  readonly name: string;
  /** Undefined for a column that is skipped. */
  readonly field: RecordField | undefined;
}

/**
 * Reads CSV (RFC 4180, or as its {@link CsvDialect} says) with a header, after a byte order mark if there is one.
 *
 * @throws MalformedFileError if the header is wrong, if a row is not UTF-8, or if rows can no longer be told apart: at a
 * misplaced or missing quotation mark, and at a row longer than {@link MAX_ROW_BYTES}
 */
export async function* csvRows(recordType: AdminRecords, bytes: Readable): AsyncGenerator<SourceRow[]> {
  const dialect = dialectOf(await headOf(bytes));
  let line = dialect.headerLine;
  const parser = parse({
    encoding: ENCODING,
    delimiter: dialect.separator,
    record_delimiter: dialect.lineEnds,
    from_line: dialect.headerLine,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    // Called as each row is found, so that `line` is right when the parser fails. The parser's own count of lines is wrong
    // after CRLF in a cell.
    on_record: (cells: string[]) => {
      const found: ParsedRow = { line, cells, length: 0 };
      line++;
      for (const cell of cells) {
        line += lineEnds(cell, dialect.lineEnds.at(-1) as string);
        found.length += cell.length;
      }
      // Once the parser has counted a row, it creates an error for each row with another number of cells, which takes longer
      // than all the rest and is not used. `CsvRow` judges the cells.
      (parser.info as { records: number }).records = 0;
      // Its types only allow what a record is without this function.
      return found as unknown as string[];
    },
  });
  // Most files are ASCII: a look at each cell would take as long as the parser.
  let onlyAscii = true as boolean;
  bytes.on('data', (chunk: Buffer) => (onlyAscii &&= isAscii(chunk)));
  pipeline(bytes, parser, () => undefined);
  const members = new RowMembers(recordType);
  let columns: readonly Column[] | undefined;
  const batch = new RowBatch();
  try {
    for await (const found of parser as AsyncIterable<ParsedRow>) {
      if (!onlyAscii) refuseOtherEncodings(found);
      if (columns) batch.add(new CsvRow(found, columns, members, dialect), found.length);
      else columns = readHeader(found, members);
      if (batch.isFull) yield batch.take();
    }
  } catch (error) {
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
    private readonly dialect: CsvDialect,
  ) {
    this.line = line;
    this.cells = cells;
  }

  get isEmpty(): boolean {
    return this.cells.every((cell) => cell === '');
  }

  text(): string {
    return this.written(
      this.cells.filter((_cell, index) => !isOfRefusal(this.columns[index]?.name)).map(decode),
    );
  }

  header(): string {
    return this.written(this.columns.map(({ name }) => name).filter((name) => !isOfRefusal(name)));
  }

  values(): Record<string, unknown> {
    const { cells, columns, members } = this;
    const nameless = cells.findIndex((cell, index) => cell !== '' && !columns[index]?.name);
    if (nameless !== -1) {
      throw new InvalidRowError(
        `The row has a value in column ${nameless + 1}, for which the header has no name.`,
      );
    }
    const values: Record<string, unknown> = {};
    columns.forEach(({ name, field }, index) => {
      // Spreadsheets leave empty cells at the end of a row out.
      const cell = decode(cells[index] ?? '');
      if (!field) members.refuseRemoved(name, cell);
      else if (cell === '') values[name] = emptyInCreation(field);
      else values[name] = valueOfCell(field, cell);
    });
    return values;
  }

  private written(cells: readonly string[]): string {
    return stringify([cells], { eof: false, delimiter: this.dialect.separator });
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
  return valueOf(kind, kind === 'boolean' ? text.toLowerCase() : text);
}

function isOfRefusal(column: string | undefined): boolean {
  return column !== undefined && REFUSAL_MEMBERS.includes(column);
}

/** Reads the beginning of a stream, and leaves the stream as it was. */
async function headOf(bytes: Readable): Promise<string> {
  await once(bytes, 'readable');
  const head = bytes.read() as Buffer | null;
  if (head) bytes.unshift(head);
  return head?.toString(ENCODING) ?? '';
}

/** Refuses the file, rather than a row: in another encoding other rows may be right, and would be imported twice. */
function refuseOtherEncodings({ line, cells }: ParsedRow): void {
  if (cells.every((cell) => ASCII.test(cell) || isUtf8(Buffer.from(cell, ENCODING)))) return;
  throw new MalformedFileError(
    `Line ${line}: the row is not UTF-8. Save the file as UTF-8; nothing of it was imported.`,
  );
}

/** @throws MalformedFileError */
function readHeader({ line, cells }: ParsedRow, members: RowMembers): Column[] {
  const names = cells.map((cell) => decode(cell).trim());
  const fault = headerFault(names, members);
  if (fault) throw new MalformedFileError(`Line ${line}, the header: ${fault}.`);
  return names.map((name) => ({ name, field: members.fieldOf(name) }));
}

function headerFault(cells: readonly string[], members: RowMembers): string | undefined {
  const names = cells.filter((cell) => cell !== '');
  if (names.length === 0) return 'it is empty';
  const unknown = members.unknownOf(names);
  if (unknown !== undefined) return unknown;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `${twice} is there twice`;
  const missing = members.required.filter((name) => !names.includes(name));
  return missing.length > 0 ? `${missing.join(', ')} is missing` : undefined;
}

/** Decodes the text of a cell. */
function decode(cell: string): string {
  return ASCII.test(cell) ? cell : Buffer.from(cell, ENCODING).toString();
}

function lineEnds(cell: string, end: string): number {
  let count = 0;
  for (let at = cell.indexOf(end); at !== -1; at = cell.indexOf(end, at + 1)) count++;
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
