import 'reflect-metadata';
import type { DataSource } from 'typeorm';
import * as features from '../features';
import type { DatabaseUse } from '../platform/cli/cli';
import type { Settings } from '../platform/config/settings';
import { openDatabase } from '../platform/database/open';
import { schemaOf } from '../platform/features/feature-modules';

/**
 * Opens the database that the settings name, for the caller to close.
 *
 * @throws MissingDatabaseError or DatabaseOpenError
 */
export function open(settings: Settings, use?: DatabaseUse): Promise<DataSource> {
  return openDatabase(settings, schemaOf(features), use);
}

/** Opens the database as it is, and closes it after the work. */
export async function withDatabase<T>(
  settings: Settings,
  work: (dataSource: DataSource) => Promise<T>,
  use?: DatabaseUse,
): Promise<T> {
  const dataSource = await open(settings, use);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
