/** Rows of text, each as long as the header. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Headers of columns that are never cut, however narrow the terminal is. */
  readonly whole?: readonly string[];
  /** Headers of columns that a terminal too narrow for all of them omits, in this order. */
  readonly spare?: readonly string[];
  /** Least widths of the columns, when not all rows are known yet. */
  readonly widths?: readonly number[];
  /** True if the header has been written, and rows before these. */
  readonly isBegun?: boolean;
}

export type Colour = 'bold' | 'green' | 'yellow' | 'red';

/** Properties of the output of a table. */
export interface TableView {
  /** True for a terminal, where columns are aligned; elsewhere cells are separated by tabs. */
  readonly isTerminal: boolean;
  /** Width of the terminal in characters; 0 or undefined when it is not known. */
  readonly columns?: number | undefined;
  /** Colours a text, if colours are wanted. */
  paint(colour: Colour, text: string): string;
}

const GAP = '  ';
/** Least width to which a column is cut: with 7, `keys list` fits into 80 characters. */
const NARROWEST = 7;

/** Colours of the words in a column called STATUS. */
const STATUS_COLOURS: Readonly<Record<string, Colour>> = {
  ok: 'green',
  active: 'green',
  applied: 'green',
  warn: 'yellow',
  pending: 'yellow',
  disabled: 'yellow',
  skipped: 'yellow',
  fail: 'red',
  failed: 'red',
  expired: 'red',
  revoked: 'red',
  unknown: 'red',
};

/** Columns that name things: a name that is cut cannot be pasted into the next command. */
const NAMING = /^(?:ID|KEY|ACTOR|SUBJECT|REQUEST|HANDLER|JOB)$/;

/** Text of a cell without a value. */
const NONE = '-';

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/;
const MINUTE = /^(\d{4}-\d\d-\d\d) \d\d:\d\dZ$/;
/** A day, a minute or a point in time. */
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.]*Z)?$/;

/** Text whose characters take one column each. */
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Renders a table. On a terminal times are shown to the minute, and columns without a value in any row are left out. Cells too
 * long for it are cut, the longest columns first; not the first column, nor any other that names a thing, and nothing in a
 * table of two columns, which shows the fields of one thing: there may be an API key that is shown once. No date is cut: if
 * cutting texts is not enough, times are shown to the day.
 *
 * @returns whole lines
 */
export function renderTable(whole: Table, view: TableView): string {
  const { isTerminal, columns = 0 } = view;
  const limit = columns > 0 ? columns : Infinity;
  const table = isTerminal ? forPeople(whole, limit) : whole;
  const lines = [table.header, ...table.rows].map((cells) => cells.map(printable));
  const texts = isTerminal ? aligned(table, lines, limit) : lines;
  const status = table.header.indexOf('STATUS');
  const gap = isTerminal ? GAP : '\t';
  return texts
    .map((cells, row) => {
      if (row === 0) return table.isBegun ? '' : `${heading(cells.join(gap), view)}\n`;
      const colour = STATUS_COLOURS[lines[row]?.[status] ?? ''];
      const painted = colour ? cells.with(status, view.paint(colour, cells[status] ?? '')) : cells;
      return `${isTerminal ? painted.join(gap).trimEnd() : painted.join(gap)}\n`;
    })
    .join('');
}

/** Returns the table with the columns and times that a person wants to see on a terminal of this width. */
function forPeople(table: Table, limit: number): Table {
  // A table of one thing's fields, or one whose rows are yet to come.
  if (table.header.length <= 2 || table.widths) return table;
  const rows = table.rows.map((cells) => cells.map((cell) => cell.replace(INSTANT, '$1 $2Z')));
  const said = table.header.filter(
    (_, column) => column === 0 || rows.length === 0 || rows.some((cells) => cells[column] !== NONE),
  );
  const kept = (table.spare ?? []).reduce(
    (wider, name) => {
      if (total(widthsOf(wider)) <= limit) return wider;
      const others = wider.header.filter((each) => each !== name);
      return without(wider, wider.rows, others);
    },
    without(table, rows, said),
  );
  if (total(leastWidths(kept, widthsOf(kept))) <= limit) return kept;
  return { ...kept, rows: kept.rows.map((cells) => cells.map((cell) => cell.replace(MINUTE, '$1'))) };
}

/** Returns a table with these columns only. */
function without(table: Table, rows: Table['rows'], header: readonly string[]): Table {
  const kept = header.map((name) => table.header.indexOf(name));
  return { ...table, header, rows: rows.map((cells) => kept.map((column) => cells[column] ?? '')) };
}

/** Returns the widths of the columns when nothing is cut. */
function widthsOf({ header, rows, widths = [] }: Table): number[] {
  return header.map((name, column) =>
    rows.reduce(
      (widest, cells) => Math.max(widest, widthOf(cells[column] ?? '')),
      Math.max(widths[column] ?? 0, widthOf(name)),
    ),
  );
}

/** Returns the least widths of the columns. */
function leastWidths({ header, rows, whole = [] }: Table, widths: readonly number[]): number[] {
  return header.map((name, column) => {
    const width = widths[column] ?? 0;
    if (column === 0 || header.length <= 2 || whole.includes(name) || NAMING.test(name)) return width;
    const date = rows.reduce((longest, cells) => {
      const cell = cells[column] ?? '';
      return cell.length > longest && DATE.test(cell) ? cell.length : longest;
    }, NARROWEST);
    return Math.min(width, date);
  });
}

/** Returns the width of all columns with their gaps. */
function total(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
}

/** Returns the width of a text; for ASCII by its length, because string-width takes many times as long. */
function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  // Loaded here, as below: for few tables, and it is a quarter of what a short command takes.
  const { default: stringWidth } = require('string-width') as typeof import('string-width');
  return stringWidth(text);
}

function truncate(text: string, width: number): string {
  const { default: cliTruncate } = require('cli-truncate') as typeof import('cli-truncate');
  return cliTruncate(text, width);
}

function heading(text: string, view: TableView): string {
  return view.isTerminal ? view.paint('bold', text.trimEnd()) : text;
}

/** Makes every cell as wide as its column, and the columns as wide as the terminal allows. */
function aligned(table: Table, [header = [], ...rows]: readonly string[][], limit: number): string[][] {
  const fitted = fit({ ...table, header, rows }, limit);
  return [header, ...rows].map((cells) =>
    cells.map((cell, column) => {
      const width = fitted[column] ?? 0;
      const text = widthOf(cell) > width ? truncate(cell, width) : cell;
      return text + ' '.repeat(width - widthOf(text));
    }),
  );
}

/** Narrows the widest columns until the table fits the terminal. */
function fit(table: Table, limit: number): number[] {
  const fitted = widthsOf(table);
  const least = leastWidths(table, fitted);
  for (let excess = total(fitted) - limit; excess > 0; excess--) {
    const [first, ...others] = fitted.flatMap((width, column) =>
      width > (least[column] ?? 0) ? [column] : [],
    );
    if (first === undefined) return fitted;
    const widest = others.reduce((a, b) => ((fitted[b] ?? 0) > (fitted[a] ?? 0) ? b : a), first);
    fitted[widest] = (fitted[widest] ?? 0) - 1;
  }
  return fitted;
}

/**
 * Escapes control characters: a name could hold sequences that drive the terminal, or a tab or line end that breaks the row.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}
