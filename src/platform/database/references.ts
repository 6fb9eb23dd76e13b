import type { EntityMetadata } from 'typeorm';
import type { AppError } from '../errors/app-error';
import { MissingReferenceError } from '../errors/http-errors';
import type { Database } from './database';
import { violatedConstraint } from './driver-errors';

/**
 * The 409 for rows of which one refers to something that is not there, naming the member.
 *
 * @param rows what could not be stored
 */
export async function missingReference(
  cause: unknown,
  database: Database,
  { foreignKeys }: EntityMetadata,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<AppError> {
  const constraint = violatedConstraint(cause);
  for (const { name, columns, referencedEntityMetadata } of foreignKeys) {
    const property = columns[0]?.propertyName as string;
    const ids = new Set(rows.map((row) => (row[property] ?? null) as bigint | null));
    const isViolated =
      constraint === undefined ? await lacks(database, referencedEntityMetadata, ids) : name === constraint;
    if (isViolated) {
      const message = `${property} refers to something that does not exist.`;
      return new MissingReferenceError({ message, cause });
    }
  }
  return new MissingReferenceError({ cause });
}

/** SQLite does not tell which foreign key it is, but goes on with the transaction, so that one can look. */
async function lacks(
  database: Database,
  { target }: EntityMetadata,
  ids: ReadonlySet<bigint | null>,
): Promise<boolean> {
  for (const id of ids) {
    if (id !== null && !(await database.with(target, (rows) => rows.existsBy({ id })))) return true;
  }
  return false;
}
