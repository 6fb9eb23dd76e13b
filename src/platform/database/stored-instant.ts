import { types } from 'node:util';

/** Reports an instant in the database that cannot be read. Read as null it would count as not set, and a revoked key as in force. */
class UnreadableInstantError extends Error {
  constructor(stored: unknown) {
    super(`The database has an instant that cannot be read: ${String(stored)}`);
  }
}

/**
 * Returns an instant as a driver has read it.
 *
 * @param stored what the database has for it, other than null
 * @throws UnreadableInstantError
 */
export function storedInstant(read: unknown, stored: unknown): unknown {
  const isInstant = types.isDate(read) ? !Number.isNaN(read.getTime()) : isInfinite(read);
  if (!isInstant) throw new UnreadableInstantError(stored);
  return read;
}

/** True for `infinity` and `-infinity` of PostgreSQL, which the driver makes numbers of. */
function isInfinite(read: unknown): boolean {
  return read === Infinity || read === -Infinity;
}
