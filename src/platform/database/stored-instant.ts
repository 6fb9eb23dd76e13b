import { types } from 'node:util';
import { FIRST_INSTANT, LAST_INSTANT } from '../values/text-formats';

/** Reports an instant in the database that cannot be read. Read as null it would count as not set, and a revoked key as in force. */
class UnreadableInstantError extends Error {
  constructor(stored: unknown) {
    super(`The database has an instant that cannot be read: ${String(stored)}`);
  }
}

/** Instants of PostgreSQL without an end, with the last and the first that the service knows, in Unix milliseconds. */
export const INFINITE_INSTANTS: ReadonlyMap<unknown, number> = new Map([
  ['infinity', LAST_INSTANT],
  ['-infinity', FIRST_INSTANT],
]);

/**
 * Returns the instant that a driver has read: always a `Date`, as entities declare it.
 *
 * @param stored what the database has for it, other than null
 * @throws UnreadableInstantError
 */
export function storedInstant(read: unknown, stored: unknown): unknown {
  const infinite = INFINITE_INSTANTS.get(stored);
  if (infinite !== undefined) return new Date(infinite);
  if (!types.isDate(read) || Number.isNaN(read.getTime())) throw new UnreadableInstantError(stored);
  return read;
}

/** Returns the day of a text that PostgreSQL has for it: for one without an end the last or the first that the service knows. */
export function storedDay(stored: string): string {
  const infinite = INFINITE_INSTANTS.get(stored);
  return infinite === undefined ? stored : new Date(infinite).toISOString().slice(0, 10);
}
