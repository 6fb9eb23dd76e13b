/** Ways in which programs write CSV; the header of a file tells which. */
export interface CsvDialect {
  /** Character between cells: programs write semicolons where the comma is for decimals. */
  readonly separator: string;
  /** Ends of rows. CR is among them only where it ends the header, because elsewhere it is a character of a cell. */
  readonly lineEnds: string[];
  /** Line of the header: the second, if the first declares the separator (`sep=;`). */
  readonly headerLine: number;
}

/** A first line that declares the separator, as programs write it for Excel. */
const DECLARED = /^sep=([,;\t])(?:\r\n?|\n)/i;
/** The first cell of a header whose cells are separated by something other than commas. */
const OTHER_SEPARATOR = /^(?:"[^"]*"|[^",\r\n]*?)([;\t])/;
const ENDED_BY_CR = /^(?:"[^"]*"|[^"\r\n])*\r[^\n]/;

/** @param head the beginning of a file, as long as its header, or the header alone */
export function dialectOf(head: string): CsvDialect {
  const [declaration = '', declared] = DECLARED.exec(head) ?? [];
  const header = head.slice(declaration.length);
  return {
    separator: declared ?? OTHER_SEPARATOR.exec(header)?.[1] ?? ',',
    lineEnds: ENDED_BY_CR.test(header) ? ['\r\n', '\n', '\r'] : ['\r\n', '\n'],
    headerLine: declared === undefined ? 1 : 2,
  };
}
