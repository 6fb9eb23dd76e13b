import type { EntityMetadata } from 'typeorm';
import type { Database } from './database';
import { isForeignKeyViolation, isUniqueViolation } from './driver-errors';
import { duplicateValue } from './duplicates';
import { missingReference } from './references';

/**
 * What to throw when rows could not be stored: the 409 for a value that another row has, or for a reference to something that is not
 * there; the cause itself when it is neither.
 *
 * @param rows what could not be stored
 * @param placeOf where the nth of them is in what was sent, before the name of a member; at its top unless given
 */
export async function constraintError(
  cause: unknown,
  database: Database,
  metadata: EntityMetadata,
  rows: readonly Readonly<Record<string, unknown>>[],
  placeOf: (index: number) => string = () => '',
): Promise<unknown> {
  if (isUniqueViolation(cause)) return duplicateValue(cause, metadata) ?? cause;
  return isForeignKeyViolation(cause)
    ? await missingReference(cause, database, metadata, rows, placeOf)
    : cause;
}
