import { types } from 'pg';
import { storedDay, storedInstant } from '../stored-instant';

const { getTypeParser, builtins } = types;

/** Types of arrays, which `pg` does not name. */
const ARRAYS = {
  text: 1009,
  int8: 1016,
  date: 1182,
  numeric: 1231,
  timestamp: 1115,
  timestamptz: 1185,
} as const;

const readTexts = getTypeParser(ARRAYS.text as number) as (text: string) => (string | null)[];

/** Instants by the type of a value, and of an array of them. */
const INSTANTS = new Map<number, (text: string) => unknown>();
for (const [one, many] of [
  [builtins.TIMESTAMP, ARRAYS.timestamp],
  [builtins.TIMESTAMPTZ, ARRAYS.timestamptz],
] as const) {
  const parse = getTypeParser(one) as (text: string) => unknown;
  const read = (text: string) => storedInstant(parse(text), text);
  INSTANTS.set(one, read);
  INSTANTS.set(many, (text) => readTexts(text).map((item) => (item === null ? null : read(item))));
}

/**
 * Integers as bigint, for a double would round; days as they are, for a `Date` would be midnight somewhere. Decimals are texts,
 * which `pg` makes doubles of where they are in an array. An instant that `pg` cannot read throws, for which it gives null.
 */
export const exactParser: typeof getTypeParser = (oid, format) => {
  if (oid === builtins.INT8) return BigInt;
  if (oid === builtins.DATE) return storedDay;
  const type: number = oid;
  if (type === ARRAYS.int8)
    return (text: string) => readTexts(text).map((item) => (item === null ? null : BigInt(item)));
  const instants = INSTANTS.get(type);
  if (instants) return instants;
  if (type === ARRAYS.date)
    return (text: string) => readTexts(text).map((item) => (item === null ? null : storedDay(item)));
  if (type === ARRAYS.numeric) return readTexts;
  return getTypeParser(oid, format) as unknown;
};

/** Returns the function that turns the server's text for a type into a value. */
export function parserOf(oid: number): (text: string) => unknown {
  return exactParser(oid) as (text: string) => unknown;
}
