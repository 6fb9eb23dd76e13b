import { type DynamicModule, Inject, Module, Optional } from '@nestjs/common';
import type { Features } from './platform/features/feature-modules';
import type { PlatformParts } from './platform/platform.module';
import { CoreModule } from './core.module';
import { TOOLING } from './tooling';

const HAS_PARTS = Symbol('HAS_PARTS');

/** Composition root of the server and of the commands: the core, and the tooling of each. */
@Module({})
export class AppModule {
  /** @throws Error with one sentence when something that `features.ts` lists is not a feature */
  static forRoot(parts: PlatformParts, listed?: Features): DynamicModule {
    const tooling = TOOLING.map(async (load) => (await load()).serverModule(parts.settings));
    return withCore(tooling, parts, listed);
  }

  static forCommands(parts: PlatformParts): DynamicModule {
    return withCore(
      TOOLING.map(async (load) => (await load()).commandModule(parts.settings)),
      parts,
    );
  }

  /** @throws Error when it is imported as a class, which would serve nothing */
  constructor(@Optional() @Inject(HAS_PARTS) hasParts?: boolean) {
    if (hasParts) return;
    throw new Error(
      'AppModule has no database by itself: make it with AppModule.forRoot(), or in a test start it with startTestService(), or import TestPlatformModule.forRoot() beside the module that is tested.',
    );
  }
}

function withCore(
  tooling: readonly Promise<DynamicModule>[],
  parts: PlatformParts,
  listed?: Features,
): DynamicModule {
  return {
    module: AppModule,
    providers: [{ provide: HAS_PARTS, useValue: true }],
    imports: [CoreModule.forRoot(parts, listed), ...tooling],
  };
}
