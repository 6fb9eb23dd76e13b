import { type EntityMetadata, QueryFailedError } from 'typeorm';
import type { AppError } from '../../errors/app-error';
import { DuplicateValueError, MissingReferenceError, StillReferencedError } from '../../errors/http-errors';
import { ownerColumnOf } from '../column-types';
import type { Database } from '../database';
import { presentIds } from './present-ids';
import {
  duplicateColumns,
  isConstraint,
  isForeignKeyViolation,
  isUniqueViolation,
  missingKey,
  violatedConstraint,
  violatedTable,
} from '../driver/driver-errors';

/** Path of a member of the nth row in the request. */
export type PathOf = (index: number, property: string) => string;

/**
 * Returns the error to throw when rows could not be stored: the 409 for a value that another row has or for a reference to a
 * missing row, otherwise the cause itself.
 *
 * @param rows the rows that could not be stored
 * @param pathOf path of a member of the nth row in the request; its name unless given
 */
export async function constraintError(
  cause: unknown,
  database: Database,
  metadata: EntityMetadata,
  rows: readonly Readonly<Record<string, unknown>>[],
  pathOf: PathOf = (_index, property) => property,
): Promise<unknown> {
  if (isUniqueViolation(cause)) return duplicateValue(cause, metadata) ?? cause;
  return isForeignKeyViolation(cause)
    ? await missingReference(cause, database, metadata, rows, pathOf)
    : cause;
}

/**
 * Returns the 409 for a statement of TypeORM's own that a constraint has refused; undefined for any other error. In code of a
 * feature the error stays TypeORM's, because its `catch` may look for that.
 */
export function refusalOf(error: unknown, database: () => Database): AppError | undefined {
  if (!(error instanceof QueryFailedError)) return undefined;
  const { entityMetadatas } = database().dataSource;
  if (isUniqueViolation(error)) {
    const table = violatedTable(error);
    const metadata = entityMetadatas.find(({ tableName }) => tableName === table);
    return (metadata && duplicateValue(error, metadata)) ?? new DuplicateValueError({ cause: error });
  }
  if (!isForeignKeyViolation(error)) return undefined;
  if (/^\s*DELETE\b/i.test(error.query)) return new StillReferencedError({ cause: error });
  const constraint = violatedConstraint(error);
  const [, table] = /^\s*(?:INSERT INTO|UPDATE) "(\w+)"/i.exec(error.query) ?? [];
  const keys = entityMetadatas
    .flatMap(({ tableName, foreignKeys }) => foreignKeys.map((key) => ({ tableName, key })))
    .filter(({ tableName, key }) =>
      constraint === undefined ? tableName === table : isConstraint(constraint, key.name),
    );
  // SQLite does not tell which of several it is.
  const [field] = keys.length === 1 ? (keys[0]?.key.columns ?? []) : [];
  if (!field) return new MissingReferenceError({ cause: error });
  return missingReferenceAt(memberOf(field), error);
}

/**
 * Returns the 409 for a reference to a missing row.
 *
 * @param path of the member that refers to it
 */
export function missingReferenceAt(path: string, cause?: unknown): AppError {
  const predicate = 'refers to a record that does not exist';
  const message = `${path} ${predicate}.`;
  const [field = path] = path.split('[');
  const fault = { field, message, ...(field === path && { predicate }) };
  return new MissingReferenceError({ message, faults: [fault], cause });
}

/** Does a module's work whose statements may be TypeORM's own: an error of a constraint becomes its 409. */
export async function explainingRefusals<T>(database: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error, () => database) ?? error;
  }
}

/** Returns the 409 for a row with the unique values of another one, naming the member; undefined when it is the key. */
function duplicateValue(
  cause: unknown,
  { indices, uniques, columns, target }: EntityMetadata,
): AppError | undefined {
  const constraint = violatedConstraint(cause);
  const named = [...indices, ...uniques].find(({ name }) => isConstraint(constraint, name))?.columns;
  const databaseNames = duplicateColumns(cause);
  const found = named ?? columns.filter(({ databaseName }) => databaseNames.includes(databaseName));
  // Clients see no rows of other owners, so for them a value is unique by itself.
  const owner = ownerColumnOf(target)?.property;
  const [field, ...others] = found
    .filter(({ isPrimary, propertyName }) => !isPrimary && propertyName !== owner)
    .map(memberOf);
  if (field === undefined) return undefined;
  const together = others.length > 0 ? ` together with ${others.join(' and ')}` : '';
  const predicate = `must be unique${together}: another record already has this value`;
  const message = `${field} ${predicate}.`;
  return new DuplicateValueError({ message, faults: [{ field, message, predicate }], cause });
}

/** The member of an entity that a column holds: `address.plot` of an embedded class. */
function memberOf({ embeddedMetadata, propertyName }: EntityMetadata['columns'][number]): string {
  return [...(embeddedMetadata?.parentPropertyNames ?? []), propertyName].join('.');
}

/**
 * Returns the 409 for rows of which one refers to a missing row, naming the member.
 *
 * @param rows the rows that could not be stored
 * @param pathOf path of a member of the nth row in the request: `lines[1].petId` of a row that another one owns
 */
async function missingReference(
  cause: unknown,
  database: Database,
  { foreignKeys }: EntityMetadata,
  rows: readonly Readonly<Record<string, unknown>>[],
  pathOf: PathOf,
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
    return missingReferenceAt(index < 0 ? property : pathOf(index, property), cause);
  }
  return new MissingReferenceError({ cause });
}

/**
 * Resolves to the first of some ids that no row has; false when each has one. SQLite does not tell which foreign key it is, but
 * goes on with the transaction, so that the ids can be looked up.
 */
async function missingAmong(
  ids: ReadonlySet<bigint | null>,
  database: Database,
  { target }: EntityMetadata,
): Promise<bigint | false> {
  const referred = [...ids].filter((id) => id !== null);
  const present = await presentIds(database, target, referred);
  return referred.find((id) => !present.has(id)) ?? false;
}
