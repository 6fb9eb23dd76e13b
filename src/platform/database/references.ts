import type { EntityMetadata } from 'typeorm';
import type { AppError } from '../errors/app-error';
import { MissingReferenceError } from '../errors/http-errors';
import type { Database } from './database';
import { isConstraint, missingKey, violatedConstraint } from './driver-errors';

/**
 * The 409 for rows of which one refers to something that is not there, naming the member.
 *
 * @param rows what could not be stored
 * @param placeOf where the nth of them is in what was sent: `lines[1].` of a row that another one owns
 */
export async function missingReference(
  cause: unknown,
  database: Database,
  { foreignKeys }: EntityMetadata,
  rows: readonly Readonly<Record<string, unknown>>[],
  placeOf: (index: number) => string,
): Promise<AppError> {
  const constraint = violatedConstraint(cause);
  for (const { name, columns, referencedEntityMetadata } of foreignKeys) {
    const property = columns[0]?.propertyName as string;
    const ids = rows.map((row) => (row[property] ?? null) as bigint | null);
    const missing =
      constraint === undefined
        ? await missingAmong(new Set(ids), database, referencedEntityMetadata)
        : isConstraint(constraint, name) && missingKey(cause);
    if (missing === false) continue;
    const index = ids.findIndex((id) => id === missing);
    const message = `${index < 0 ? '' : placeOf(index)}${property} refers to something that does not exist.`;
    return new MissingReferenceError({ message, cause });
  }
  return new MissingReferenceError({ cause });
}

/**
 * The first of some ids that no row has; false when each has one. SQLite does not tell which foreign key it is, but goes on with the
 * transaction, so that one can look.
 */
async function missingAmong(
  ids: ReadonlySet<bigint | null>,
  database: Database,
  { target }: EntityMetadata,
): Promise<bigint | false> {
  for (const id of ids) {
    if (id !== null && !(await database.with(target, (rows) => rows.existsBy({ id })))) return id;
  }
  return false;
}
