import { types } from 'pg';

const { getTypeParser, builtins } = types;

/** Integers as bigint, for a double would round; days as they are, for a `Date` would be midnight somewhere. */
export const exactParser: typeof getTypeParser = (oid, format) => {
  if (oid === builtins.INT8) return BigInt;
  if (oid === builtins.DATE) return String;
  return getTypeParser(oid, format) as unknown;
};

/** What makes a value of the text that the server sends of a type. */
export function parserOf(oid: number): (text: string) => unknown {
  return exactParser(oid) as (text: string) => unknown;
}
