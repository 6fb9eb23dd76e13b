// The features of the service, one line each.
import './pets/pets.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { AdminModule } from './admin/admin.module';
import { AuthModule } from './auth/auth.module';
import { HealthModule } from './health/health.module';
import { importedFeatures } from './platform/feature.decorator';
import { DocsModule } from './platform/openapi/docs.module';
import { PlatformModule, type PlatformParts } from './platform/platform.module';

/** Composition root: the platform, the features, the keys and the admin tooling. */
@Module({})
export class AppModule {
  static forRoot(parts: PlatformParts): DynamicModule {
    return {
      module: AppModule,
      // Routes are tried in this order: what is called most comes first.
      imports: [
        PlatformModule.forRoot(parts),
        ...importedFeatures(),
        AuthModule,
        AdminModule,
        HealthModule,
        DocsModule,
      ],
    };
  }
}
