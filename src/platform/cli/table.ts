/** Rows of text, each as long as the header. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const BOLD = '\u001b[1m';
const NORMAL = '\u001b[22m';

/**
 * @param isTerminal aligns the columns and makes the header bold; otherwise cells are separated by tabs
 * @returns whole lines
 */
export function renderTable({ header, rows }: Table, isTerminal: boolean): string {
  const lines = [header, ...rows].map((cells) => cells.map(printable));
  if (!isTerminal) return lines.map((cells) => `${cells.join('\t')}\n`).join('');
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => width(cells[column] ?? ''))));
  const [title = '', ...body] = lines.map((cells) =>
    cells
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd(),
  );
  return `${[`${BOLD}${title}${NORMAL}`, ...body].join('\n')}\n`;
}

/** A name could hold sequences that drive the terminal, or a tab or a line end that breaks the row. */
function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}

function width(text: string): number {
  return Array.from(text).length;
}
