import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module';
import { HealthModule } from './health/health.module';
import { listedFeatures } from './own-service';
import { FeatureSettingsModule } from './platform/config/settings.module';
import { AdminRecordsModule } from './platform/features/admin-records.module';
import { type Features, featureModules, settingsOf } from './platform/features/feature-modules';
import { DocsModule } from './platform/openapi/docs.module';
import { PlatformModule, type PlatformParts } from './platform/platform.module';

/** The core, which serves all clients by itself: the platform, the features, the keys, health and the docs. */
@Module({})
export class CoreModule {
  /** @throws Error with one sentence when something that is listed is not a feature */
  static forRoot(parts: PlatformParts, listed: Features = listedFeatures()): DynamicModule {
    return {
      module: CoreModule,
      // Routes are tried in this order: those that are called most come first.
      imports: [
        PlatformModule.forRoot(parts),
        FeatureSettingsModule.forRoot(parts.settings, settingsOf(listed)),
        AdminRecordsModule.forRoot(listed),
        ...featureModules(listed),
        AuthModule,
        HealthModule,
        DocsModule,
      ],
    };
  }
}
