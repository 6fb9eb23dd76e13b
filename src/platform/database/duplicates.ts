import type { EntityMetadata } from 'typeorm';
import type { AppError } from '../errors/app-error';
import { DuplicateValueError } from '../errors/http-errors';
import { duplicateColumns, isConstraint, violatedConstraint } from './driver-errors';

/** The 409 for a row that has the values of another one where none may, naming the member; undefined when it is the key. */
export function duplicateValue(
  cause: unknown,
  { indices, uniques, columns }: EntityMetadata,
): AppError | undefined {
  const constraint = violatedConstraint(cause);
  const named = [...indices, ...uniques].find(({ name }) => isConstraint(constraint, name))?.columns;
  const databaseNames = duplicateColumns(cause);
  const found = named ?? columns.filter(({ databaseName }) => databaseNames.includes(databaseName));
  const [field, ...others] = found
    .filter(({ isPrimary }) => !isPrimary)
    .map(({ propertyName }) => propertyName);
  if (field === undefined) return undefined;
  const together = others.length > 0 ? ` together with ${others.join(' and ')}` : '';
  const message = `${field} must be unique${together}, and another one has this value.`;
  return new DuplicateValueError({ message, faults: [{ field, message }], cause });
}
