import type { EntityMetadata } from 'typeorm';
import type { AppError } from '../errors/app-error';
import { MissingReferenceError, StillReferencedError } from '../errors/http-errors';
import type { Database } from './database';
import { violatedConstraint } from './driver-errors';
import { parameter } from './statement';

/** The 409 for a row that cannot go because others refer to it. */
export function stillReferenced(cause: unknown): AppError {
  return new StillReferencedError({ cause });
}

/**
 * The 409 for a row that refers to something that is not there, naming the member.
 *
 * @param row what could not be stored
 */
export async function missingReference(
  cause: unknown,
  database: Database,
  { foreignKeys }: EntityMetadata,
  row: Readonly<Record<string, unknown>>,
): Promise<AppError> {
  const constraint = violatedConstraint(cause);
  for (const { name, columns, referencedEntityMetadata } of foreignKeys) {
    const property = columns[0]?.propertyName as string;
    const id = row[property] as bigint | null;
    const isIt =
      constraint === undefined
        ? id !== null && !(await exists(database, referencedEntityMetadata, id))
        : name === constraint;
    if (isIt) {
      return new MissingReferenceError({
        message: `${property} refers to something that does not exist.`,
        cause,
      });
    }
  }
  return new MissingReferenceError({ cause });
}

/** SQLite does not tell which foreign key it is, but goes on with the transaction, so that one can look. */
async function exists(database: Database, { target }: EntityMetadata, id: bigint): Promise<boolean> {
  const statement = database.prepare((manager) =>
    manager
      .createQueryBuilder(target, 'row')
      .select('row.id', 'id')
      .where('row.id = :id', { id: parameter('id') }),
  );
  return (await database.query(statement, { id })).length > 0;
}
