import { resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import { petstore } from '../../config/called-as';
import { defineError } from '../../errors/app-error';
import { engineOf } from '../column-types';

/** Reports that there is no database to work on, and that the caller may not make one. */
export class MissingDatabaseError extends defineError({
  code: 'missing_database',
  status: 404,
  message: 'There is no database.',
}) {}

const advice = () =>
  `If the database existed before, check DATABASE_URL and the working directory, or restore a backup. "${petstore()} db migrate" creates a new database.`;

/** The error of a SQLite file that is not there. */
export function missingFile(file: string): MissingDatabaseError {
  return new MissingDatabaseError(`There is no database at ${resolve(file)}. ${advice()}`);
}

/**
 * Refuses an empty SQLite database: users would take it for one that has lost everything.
 *
 * @param applied names of the migrations applied to it
 * @throws MissingDatabaseError
 */
export function assertHasTables(dataSource: DataSource, applied: readonly string[]): void {
  if (engineOf(dataSource) !== 'sqlite' || applied.length > 0) return;
  const { database } = dataSource.options as { readonly database: string };
  throw new MissingDatabaseError(
    database === ':memory:'
      ? 'A database in memory is empty at first and is lost when the process ends. Set DATABASE_URL to a file or a server.'
      : `There is no database in ${resolve(database)}: it has none of the tables of this service. ${advice()}`,
  );
}

/** Tells whether the server may create a missing SQLite database: in production a missing file is more often a wrong path. */
export function serverMayCreate({ nodeEnv }: { readonly nodeEnv: string }): boolean {
  return nodeEnv !== 'production';
}
