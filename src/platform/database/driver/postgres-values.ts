import { types } from 'pg';

const { getTypeParser, builtins } = types;

/** Types of arrays, which `pg` does not name. */
const ARRAYS: Readonly<Record<'text' | 'int8' | 'date' | 'numeric', number>> = {
  text: 1009,
  int8: 1016,
  date: 1182,
  numeric: 1231,
};

const readTexts = getTypeParser(ARRAYS.text) as (text: string) => string[];

/**
 * Integers as bigint, for a double would round; days as they are, for a `Date` would be midnight somewhere. Decimals are texts,
 * which `pg` makes doubles of where they are in an array.
 */
export const exactParser: typeof getTypeParser = (oid, format) => {
  if (oid === builtins.INT8) return BigInt;
  if (oid === builtins.DATE) return String;
  const type: number = oid;
  if (type === ARRAYS.int8) return (text: string) => readTexts(text).map(BigInt);
  if (type === ARRAYS.date || type === ARRAYS.numeric) return readTexts;
  return getTypeParser(oid, format) as unknown;
};

/** Returns the function that turns the server's text for a type into a value. */
export function parserOf(oid: number): (text: string) => unknown {
  return exactParser(oid) as (text: string) => unknown;
}
