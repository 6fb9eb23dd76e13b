import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module';
import { HealthModule } from './health/health.module';
import { PetsModule } from './pets/pets.module';
import { DocsModule } from './platform/openapi/docs.module';
import { PlatformModule, type PlatformParts } from './platform/platform.module';

/** The features of the service, one line each. */
const FEATURES = [PetsModule];

/** Composition root: the platform, the keys and the features. */
@Module({})
export class AppModule {
  static forRoot(parts: PlatformParts): DynamicModule {
    return {
      module: AppModule,
      // Routes are tried in this order: what is called most comes first.
      imports: [PlatformModule.forRoot(parts), ...FEATURES, AuthModule, HealthModule, DocsModule],
    };
  }
}
