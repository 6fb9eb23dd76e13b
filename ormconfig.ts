import { loadEnvironment, loadSettings } from './src/platform/config/load-settings';
import * as features from './src/features';
import { createDataSource } from './src/platform/database/driver/data-source';
import { schemaOf } from './src/platform/features/feature-modules';

/** The database of the settings, for the TypeORM CLI: `npm run -s typeorm -- schema:log`. */
export const dataSource = createDataSource(loadSettings(loadEnvironment()), schemaOf(features));
