/**
 * Texts that are marked in the cells of CSV files. Spreadsheets run a text that begins like a formula, even if a client of the
 * service wrote it (OWASP, "CSV Injection"), so such a text gets an apostrophe before it. CSV cannot tell the empty text from a
 * missing value, so the empty text is an apostrophe. Texts that would be taken for either get one more. {@link textOfCell}
 * undoes exactly this.
 */
const TO_MARK = /^'*(?:[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]|$)/;
const MARKED = /^'+(?:[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]|$)/;

/** Writes a text as a cell. */
export function cellOfText(text: string): string {
  return TO_MARK.test(text) ? `'${text}` : text;
}

/** Reads the text of a cell that is not empty. */
export function textOfCell(cell: string): string {
  return MARKED.test(cell) ? cell.slice(1) : cell;
}
