/** Parses the id of a row; returns undefined if the text is not a positive integer. */
export function readRowId(text: string): bigint | undefined {
  return /^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined;
}
