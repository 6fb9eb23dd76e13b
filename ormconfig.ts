import { loadEnvironment, loadSettings } from './src/platform/config/load-settings';
import { createDataSource } from './src/platform/database/data-source';

/** The database of the settings, for the TypeORM CLI: `npm run -s typeorm -- schema:log`. */
export const dataSource = createDataSource(loadSettings(loadEnvironment()));
