import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { AuthModule } from '../../../src/auth/auth.module';
import { listedFeatures } from '../../../src/own-service';
import { FeatureSettingsModule } from '../../../src/platform/config/settings.module';
import { AdminRecordsModule } from '../../../src/platform/features/admin-records.module';
import { loadSettings } from '../../../src/platform/config/load-settings';
import { openDatabase } from '../../../src/platform/database/driver/open';
import { prepareSchema } from '../../../src/platform/database/schema/prepare-schema';
import { type Features, schemaOf, settingsOf } from '../../../src/platform/features/feature-modules';
import { createLogger } from '../../../src/platform/logging/logger';
import { DocsModule } from '../../../src/platform/openapi/docs.module';
import { PlatformModule } from '../../../src/platform/platform.module';
import { createTestDatabase, type Engine } from '../databases/databases';

const CLOSE = Symbol('CLOSE');

/** Ends the database after everything that may still write to it. */
@Module({})
class DatabaseEnd implements OnApplicationShutdown {
  static of(close: () => Promise<void>): DynamicModule {
    return { module: DatabaseEnd, global: true, providers: [{ provide: CLOSE, useValue: close }] };
  }

  constructor(@Inject(CLOSE) private readonly close: () => Promise<void>) {}

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

/**
 * The platform for tests of a module without HTTP: its database, empty and migrated, its events and its jobs. It stands beside the
 * module in `Test.createTestingModule({ imports })`, and `close()` of what that gives drops the database.
 */
@Module({})
export class TestPlatformModule {
  /** @param features whose tables are there: those of the service, or of the package, unless given */
  static async forRoot(engine: Engine, features: Features = listedFeatures()): Promise<DynamicModule> {
    const database = await createTestDatabase(engine);
    const settings = loadSettings({ DATABASE_URL: database.url });
    const dataSource = await openDatabase(settings, schemaOf(features), { mayCreate: true });
    await prepareSchema(dataSource, { mayCreate: true, mayMigrate: true });
    const close = async () => {
      await dataSource.destroy();
      await database.drop();
    };
    const logger = createLogger('silent', { write: () => undefined });
    return {
      module: TestPlatformModule,
      imports: [
        // The first of the global modules is the last to hear of the shutdown.
        DatabaseEnd.of(close),
        PlatformModule.forRoot({ settings, logger, dataSource }),
        FeatureSettingsModule.forRoot(settings, settingsOf(features)),
        AdminRecordsModule.forRoot(features),
        AuthModule,
        DocsModule,
      ],
    };
  }
}
