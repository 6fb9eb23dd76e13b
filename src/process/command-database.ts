import 'reflect-metadata';
import type { DataSource } from 'typeorm';
import * as features from '../features';
import type { Settings } from '../platform/config/settings';
import { openDatabase } from '../platform/database/open';
import { schemaOf } from '../platform/features/feature-modules';

/**
 * Opens the database that the settings name, for the caller to close.
 *
 * @throws DatabaseOpenError
 */
export function open(settings: Settings): Promise<DataSource> {
  return openDatabase(settings, schemaOf(features));
}

/** Opens the database as it is, and closes it after the work. */
export async function withDatabase<T>(
  settings: Settings,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = await open(settings);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
