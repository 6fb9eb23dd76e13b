import { alignedLines, GAP, type Layout, layOut, type Table, wrapWords } from './table-layout';

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

/**
 * Renders a table: for programs as lines of cells that are separated by tabs, for people as columns that fit the terminal.
 *
 * @returns whole lines
 */
export function renderTable(given: Table, view: TableView): string {
  const { header, rows } = given;
  const table = { ...given, header: header.map(printable), rows: rows.map((cells) => cells.map(printable)) };
  return view.isTerminal ? forPeople(table, view) : forPrograms(table, view);
}

function forPrograms(table: Table, view: TableView): string {
  const column = table.header.indexOf('STATUS');
  const lines = table.rows.map((cells) => {
    const colour = STATUS_COLOURS[cells[column] ?? ''];
    return (colour ? cells.with(column, view.paint(colour, cells[column] ?? '')) : cells).join('\t');
  });
  return [...(table.isBegun ? [] : [table.header.join('\t')]), ...lines].map((line) => `${line}\n`).join('');
}

function forPeople(table: Table, view: TableView): string {
  const { columns = 0 } = view;
  const limit = columns > 0 ? columns : Infinity;
  const shown = layOut(table, limit);
  const [heading, ...rows] = alignedLines(shown, limit);
  const column = shown.header.indexOf('STATUS');
  const lines = rows.flatMap(({ cells, below }, row) => {
    const colour = STATUS_COLOURS[shown.rows[row]?.[column] ?? ''];
    const painted = colour ? cells.with(column, view.paint(colour, cells[column] ?? '')) : cells;
    return [painted.join(GAP).trimEnd(), ...below];
  });
  const titles = table.isBegun || !heading ? [] : [heading.cells.join(GAP).trimEnd(), ...heading.below];
  const all = [...titles.map((line) => view.paint('bold', line)), ...lines, ...noteOn(shown, limit)];
  return all.map((line) => `${line}\n`).join('');
}

/** Names the columns that the terminal has no room for, unless more rows follow. */
function noteOn({ omitted, widths }: Layout, limit: number): string[] {
  if (omitted.length === 0 || widths) return [];
  const note = `Not shown: ${omitted.join(', ')}. A wider terminal, -o wide, a pipe or --json shows all columns.`;
  return wrapWords(note, limit);
}

/** Escapes control characters in a text of several lines, which may have tabs. */
export function printableLines(text: string): string {
  return text.replace(/(?![\t\n]|\r\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu, escaped);
}

/**
 * Escapes control characters: a name could hold sequences that drive the terminal, or a tab or line end that breaks the row.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
}
