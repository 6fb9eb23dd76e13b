import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';

/** Rows of text, each as long as the header. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns, by their header, that are never cut, however narrow the terminal is. */
  readonly whole?: readonly string[];
  /** Columns, by their header, that a terminal too narrow for all of them does without, the first of these first. */
  readonly spare?: readonly string[];
  /** How wide columns are at least, where not all rows are known yet. */
  readonly widths?: readonly number[];
  /** Whether its header has been written, and rows before these. */
  readonly isBegun?: boolean;
}

export type Colour = 'bold' | 'green' | 'yellow' | 'red';

/** What a table is written to. */
export interface TableView {
  /** Columns are aligned on a terminal; elsewhere cells are separated by tabs. */
  readonly isTerminal: boolean;
  /** How wide the terminal is, in characters; 0 or undefined when it is not known. */
  readonly columns?: number | undefined;
  /** Colours a text, where colours are wanted. */
  paint(colour: Colour, text: string): string;
}

const GAP = '  ';
/** No column is cut to less: with 7, `keys list` fits into 80 characters. */
const NARROWEST = 7;

/** What a word in a column called STATUS says about the row. */
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

/** Columns that name things: what is cut there cannot be pasted into the next command. */
const NAMING = /^(?:ID|KEY|ACTOR|SUBJECT|REQUEST|HANDLER|JOB)$/;

/** What stands where there is no value. */
const NONE = '-';

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/;
const MINUTE = /^(\d{4}-\d\d-\d\d) \d\d:\d\dZ$/;
/** A day, a minute or an instant. */
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.]*Z)?$/;

/** Text whose characters take one place each. */
const ASCII = /^[\x20-\x7e]*$/;

/**
 * On a terminal times are told to the minute, and columns are left out that say nothing of any row. Cells too long for it are
 * cut, the longest columns first; not the first column, nor any other that names a thing, and nothing in a table of two, which
 * shows the fields of one thing: there may be an API key that is shown once. No date is cut: where cut texts are not enough,
 * times are told to the day.
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

/** The same table with what a person wants to see of it on a terminal so wide. */
function forPeople(table: Table, limit: number): Table {
  // One thing with its fields, or a table whose rows are yet to come.
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

/** A table with some of its columns. */
function without(table: Table, rows: Table['rows'], header: readonly string[]): Table {
  const kept = header.map((name) => table.header.indexOf(name));
  return { ...table, header, rows: rows.map((cells) => kept.map((column) => cells[column] ?? '')) };
}

/** How wide its columns are when nothing is cut. */
function widthsOf({ header, rows, widths = [] }: Table): number[] {
  return header.map((name, column) =>
    rows.reduce(
      (widest, cells) => Math.max(widest, widthOf(cells[column] ?? '')),
      Math.max(widths[column] ?? 0, widthOf(name)),
    ),
  );
}

/** How wide its columns are at least. */
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

/** How wide columns are together. */
function total(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
}

/** string-width takes a multiple of the time to find out the same of ASCII. */
function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

function heading(text: string, view: TableView): string {
  return view.isTerminal ? view.paint('bold', text.trimEnd()) : text;
}

/** Every cell as wide as its column, and the columns as wide as the terminal allows. */
function aligned(table: Table, [header = [], ...rows]: readonly string[][], limit: number): string[][] {
  const fitted = fit({ ...table, header, rows }, limit);
  return [header, ...rows].map((cells) =>
    cells.map((cell, column) => {
      const width = fitted[column] ?? 0;
      const text = widthOf(cell) > width ? cliTruncate(cell, width) : cell;
      return text + ' '.repeat(width - widthOf(text));
    }),
  );
}

/** Takes from the widest columns what is too much for the terminal. */
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

/** A name could hold sequences that drive the terminal, or a tab or a line end that breaks the row. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}
