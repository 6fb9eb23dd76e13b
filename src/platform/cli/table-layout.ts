/** Rows of text, each as long as the header. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Headers of columns that are never left out or cut, and whose times keep their minutes, however narrow the terminal is. */
  readonly whole?: readonly string[];
  /** Headers of columns whose times have seconds. */
  readonly seconds?: readonly string[];
  /** Headers of columns that a terminal too narrow for all of them omits, in this order. */
  readonly spare?: readonly string[];
  /** Header of the column whose cells go on in the lines below on a narrow terminal, which shows the column last. */
  readonly wrapped?: string;
  /** Short forms of the cells of columns, by header, for a terminal too narrow for the cells. */
  readonly short?: Readonly<Record<string, (cell: string) => string>>;
  /** Widths of the columns, when not all rows are known yet. */
  readonly widths?: readonly number[];
  /** True if the header has been written, and rows before these. */
  readonly isBegun?: boolean;
}

/** Space between columns. */
export const GAP = '  ';

/** Least width to which a column is cut. */
const NARROWEST = 7;

/** Width of a text that can be read: wider ones are cut to it rather than that a column is omitted, and others are not cut. */
const READABLE = 20;

/** Least room for a wrapped column beside the others. */
const ROOM = 30;

/** Most lines of a wrapped cell. */
const MOST_LINES = 5;

/** Space before the lines of a wrapped column that stands below the others. */
const INDENT = '    ';

/** Columns that name things: a name that is cut cannot be pasted into the next command. */
const NAMING = /^(?:ID|KEY|ACTOR|SUBJECT|REQUEST|HANDLER|JOB)$/;

/** Text of a cell without a value. */
const NONE = '-';

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)(?:\.\d+)?Z$/;
const MINUTE = /^(\d{4}-\d\d-\d\d) \d\d:\d\dZ$/;
/** A day, a minute or a point in time. */
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.]*Z)?$/;

/** Text whose characters take one column each. */
const ASCII = /^[\x20-\x7e]*$/;

/** A table with the columns and cells that a terminal shows. */
export interface Layout extends Table {
  /** Headers of spare columns without room. */
  readonly omitted: readonly string[];
}

/** A row on a terminal: padded cells, and whole lines below them. */
interface AlignedLine {
  readonly cells: readonly string[];
  readonly below: readonly string[];
}

/**
 * Chooses the columns and cells that a person wants to see on a terminal of this width. Times are shown to the minute or
 * second, and columns without a value in any row are left out. A terminal too narrow for readable texts shows short forms, omits
 * spare columns, and at last shows days without times.
 */
export function layOut(table: Table, limit: number): Layout {
  // The fields of one thing, or a list of single values.
  if (table.header.length <= 2) return { ...table, omitted: [] };
  const { short = {}, seconds = [], spare = [], whole = [], wrapped } = table;
  const minutes = mapCells(table, (cell, name) =>
    cell.replace(INSTANT, seconds.includes(name) ? '$1 $2$3Z' : '$1 $2Z'),
  );
  const said = table.header.filter(
    (name, column) =>
      column === 0 ||
      whole.includes(name) ||
      table.widths !== undefined ||
      table.rows.length === 0 ||
      table.rows.some((cells) => cells[column] !== NONE),
  );
  let kept = withColumns(minutes, [
    ...said.filter((name) => name !== wrapped),
    ...said.filter((name) => name === wrapped),
  ]);
  if (isTooWide(kept, limit)) kept = mapCells(kept, (cell, name) => short[name]?.(cell) ?? cell);
  const omitted: string[] = [];
  for (const name of spare.filter((each) => said.includes(each))) {
    if (!isTooWide(kept, limit)) break;
    kept = withColumns(
      kept,
      kept.header.filter((each) => each !== name),
    );
    omitted.push(name);
  }
  if (isTooWide(kept, limit)) {
    kept = mapCells(kept, (cell, name) => (whole.includes(name) ? cell : cell.replace(MINUTE, '$1')));
  }
  return { ...kept, omitted };
}

function mapCells(table: Table, change: (cell: string, name: string) => string): Table {
  const { header, rows } = table;
  return {
    ...table,
    rows: rows.map((cells) => cells.map((cell, column) => change(cell, header[column] ?? ''))),
  };
}

/** Returns a table with these columns only, in this order. */
export function withColumns(table: Table, header: readonly string[]): Table {
  const kept = header.map((name) => table.header.indexOf(name));
  return {
    ...table,
    header,
    rows: table.rows.map((cells) => kept.map((column) => cells[column] ?? '')),
    ...(table.widths && { widths: kept.map((column) => table.widths?.[column] ?? 0) }),
  };
}

/** True if the columns do not fit with texts that can be read. */
function isTooWide(table: Table, limit: number): boolean {
  // All parts of a table whose rows come one after the other have the same columns.
  const measured = table.widths ? { ...table, rows: [] } : table;
  const widths = widthsOf(measured);
  const least = leastWidths(measured, widths, READABLE).map((width, column) =>
    measured.header[column] === measured.wrapped ? Math.min(widths[column] ?? 0, ROOM) : width,
  );
  return total(least) > limit;
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

/** Returns the least widths of the columns, when texts are cut to a width. No date is cut. */
function leastWidths({ header, rows, whole = [] }: Table, widths: readonly number[], cut: number): number[] {
  return header.map((name, column) => {
    const width = widths[column] ?? 0;
    if (column === 0 || header.length <= 2 || whole.includes(name) || NAMING.test(name)) return width;
    const date = rows.reduce((longest, cells) => {
      const cell = cells[column] ?? '';
      return cell.length > longest && DATE.test(cell) ? cell.length : longest;
    }, cut);
    return Math.min(width, date);
  });
}

/** Returns the width of columns with their gaps. */
function total(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
}

/**
 * Makes every cell as wide as its column, and the columns as wide as the terminal allows, the longest cut first. Never cut are
 * the first column, any other that names a thing, and a table of two columns, which shows the fields of one thing: there may be
 * an API key that is shown once.
 */
export function alignedLines(table: Table, limit: number): AlignedLine[] {
  const { header, rows, wrapped, whole = [] } = table;
  const widths = widthsOf(table);
  const isWrapped = wrapped !== undefined && header.at(-1) === wrapped;
  const others = isWrapped ? widths.slice(0, -1) : widths;
  const isBeside = !isTooWide(table, limit);
  const last = isWrapped && isBeside ? Math.min(widths.at(-1) ?? 0, ROOM) + GAP.length : 0;
  const fitted = fit(others, leastWidths(table, widths, NARROWEST), limit - last);
  const start = isBeside ? ' '.repeat(total(fitted) + GAP.length) : INDENT;
  const most = whole.includes(wrapped ?? '') ? Infinity : MOST_LINES;
  return [header, ...rows].map((cells) => {
    const padded = fitted.map((width, column) => {
      const cell = cells[column] ?? '';
      const text = widthOf(cell) > width ? truncate(cell, width) : cell;
      return text + ' '.repeat(width - widthOf(text));
    });
    if (!isWrapped) return { cells: padded, below: [] };
    const lines = wrapWords(cells.at(-1) ?? '', limit - start.length, most);
    if (!isBeside) return { cells: padded, below: cells.at(-1) === NONE ? [] : indented(lines, start) };
    return { cells: [...padded, lines[0] ?? ''], below: indented(lines.slice(1), start) };
  });
}

function indented(lines: readonly string[], start: string): string[] {
  return lines.map((line) => start + line);
}

/** Narrows the widest columns until they fit. */
function fit(widths: readonly number[], least: readonly number[], limit: number): number[] {
  const fitted = [...widths];
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
 * Breaks a text at blanks into lines of a width. A longer word stays whole, as a path or an address is copied.
 *
 * @param most number of lines, the last of which says that the text goes on
 */
export function wrapWords(text: string, width: number, most = Infinity): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && widthOf(line) + 1 + widthOf(word) <= width)
      lines.splice(-1, 1, `${line} ${word}`);
    else lines.push(word);
    if (lines.length > most) return [...lines.slice(0, most - 1), `${lines[most - 1]} …`];
  }
  return lines;
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
