import { join } from 'node:path';
import { serviceDataSource } from '@petstore/platform/ormconfig';

/** The database of the settings, for the TypeORM CLI: `npm run -s typeorm -- schema:log`. */
export const dataSource = serviceDataSource(join(__dirname, 'src'));
