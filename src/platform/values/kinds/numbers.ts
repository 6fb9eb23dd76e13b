import { JSON_NUMBER, parseDecimalInt64 } from '../int64';

/** Least and greatest value, both allowed. */
export interface NumberLimits {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** Tells whether a number is within limits. */
export function isWithin(value: number | bigint, { minimum, maximum }: NumberLimits): boolean {
  return (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum);
}

/** Writes limits in words: `from 1 to 9`, `of at least 1`; returns the empty text without limits. */
export function limitsInWords(
  least: number | string | undefined,
  greatest: number | string | undefined,
): string {
  if (least !== undefined && greatest !== undefined) return `from ${least} to ${greatest}`;
  if (least !== undefined) return `of at least ${least}`;
  return greatest === undefined ? '' : `of at most ${greatest}`;
}

/** Returns the number that a text is in JSON; returns any other text unchanged. */
export function jsonNumber(text: string): number | string {
  const literal = text.trim();
  return JSON_NUMBER.test(literal) ? Number(literal) : text;
}

/**
 * Returns the integer that a text has in plain decimal; returns any other text unchanged. Spreadsheets and calculators round
 * what they write as `9.0072E+15`, so such a text is no id.
 */
export function exactInteger(text: string): bigint | string {
  return parseDecimalInt64(text.trim()) ?? text;
}
