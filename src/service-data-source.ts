import type { DataSource } from 'typeorm';
import { listedFeatures, useServiceIn } from './own-service';
import { loadEnvironment, loadSettings } from './platform/config/load-settings';
import { createDataSource } from './platform/database/driver/data-source';
import { schemaOf } from './platform/features/feature-modules';

/**
 * Makes the data source of a service for the commands of TypeORM, which `ormconfig.ts` exports: with the database of the settings.
 *
 * @param folder the folder of `features.ts`
 */
export function serviceDataSource(folder: string): DataSource {
  useServiceIn(folder);
  return createDataSource(loadSettings(loadEnvironment()), schemaOf(listedFeatures()));
}
