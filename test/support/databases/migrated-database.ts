import { listedFeatures } from '../../../src/own-service';
import { loadSettings } from '../../../src/platform/config/load-settings';
import { openDatabase } from '../../../src/platform/database/driver/open';
import { prepareSchema } from '../../../src/platform/database/schema/prepare-schema';
import { schemaOf } from '../../../src/platform/features/feature-modules';
import { createTestDatabase, createFilledDatabase, type Engine, type TestDatabase } from './databases';
import { isSchemaAddedTo } from './with-schema';

/** Makes a database as `petstore db migrate` leaves it, which a service in production needs. `drop()` is the caller's. */
export async function createMigratedDatabase(engine: Engine): Promise<TestDatabase> {
  if (!isSchemaAddedTo()) return createFilledDatabase(engine, 'migrated', migrate);
  const database = await createTestDatabase(engine);
  await migrate(database.url);
  return database;
}

/** Does what `petstore db migrate` does. */
export async function migrate(url: string): Promise<void> {
  const settings = loadSettings({ DATABASE_URL: url });
  const dataSource = await openDatabase(settings, schemaOf(listedFeatures()), { mayCreate: true });
  try {
    await prepareSchema(dataSource, { mayCreate: true, mayMigrate: true });
  } finally {
    await dataSource.destroy();
  }
}
