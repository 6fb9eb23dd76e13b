/** Writes a number of rows: `1 row`, `2,000 rows`. */
export function rowsInWords(count: number | bigint): string {
  return `${count.toLocaleString('en')} ${Number(count) === 1 ? 'row' : 'rows'}`;
}
