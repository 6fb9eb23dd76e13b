/**
 * Texts that are marked in the cells of CSV files. Spreadsheets run a text that begins like a formula, even if a client of the
 * service wrote it (OWASP, "CSV Injection"), so such a text gets an apostrophe before it. So does a part of a text behind a
 * semicolon, a tab or a line break: where lists are separated by semicolons, spreadsheets take it for a cell. They leave out
 * quotation marks with which it begins, so it is marked before them. CSV cannot tell the empty text from a missing value, so
 * the empty text is an apostrophe. Texts that would be taken for either get one more. {@link textOfCell} undoes exactly this.
 */
const TO_MARK = /^(?:['"]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]|'*$)/;
const MARKED = /^'(?:['"]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]|'*$)/;
const PARTS_TO_MARK = /(?<=[;\t\r\n])(?=['"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const MARKS_OF_PARTS = /(?<=[;\t\r\n])'(?=['"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Writes a text as a cell. */
export function cellOfText(text: string): string {
  const marked = text.replaceAll(PARTS_TO_MARK, "'");
  return TO_MARK.test(text) ? `'${marked}` : marked;
}

/** Reads the text of a cell that is not empty. */
export function textOfCell(cell: string): string {
  const text = MARKED.test(cell) ? cell.slice(1) : cell;
  return text.replaceAll(MARKS_OF_PARTS, '');
}
