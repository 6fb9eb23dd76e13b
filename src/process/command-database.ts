import 'reflect-metadata';
import type { DataSource } from 'typeorm';
import { listedFeatures } from '../own-service';
import type { DatabaseUse } from '../platform/cli/cli';
import type { Output } from '../platform/cli/output';
import type { Settings } from '../platform/config/settings';
import { describeLocation } from '../platform/database/driver/database-url';
import { openDatabase } from '../platform/database/driver/open';
import { schemaOf } from '../platform/features/feature-modules';
import { noteSlowStatements } from './command-statements';

/**
 * Opens the database that the settings name; the caller closes it.
 *
 * @param output is told the database's location
 * @throws MissingDatabaseError or DatabaseOpenError
 */
export async function open(settings: Settings, output: Output, use?: DatabaseUse): Promise<DataSource> {
  const dataSource = await openDatabase(settings, schemaOf(listedFeatures()), { ...use, mayOnlyRead: true });
  output.worksOn(describeLocation(settings.databaseUrl));
  return dataSource;
}

/** Opens the database as it is, and closes it after the work. */
export async function withDatabase<T>(
  settings: Settings,
  output: Output,
  work: (dataSource: DataSource) => Promise<T>,
  use?: DatabaseUse,
): Promise<T> {
  const dataSource = await open(settings, output, use);
  try {
    if (use?.changesNothing || settings.requestLogDays === 0) return await work(dataSource);
    return await noteSlowStatements(dataSource, output.commandName, () => work(dataSource));
  } finally {
    await dataSource.destroy();
  }
}
