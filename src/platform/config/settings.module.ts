import { DynamicModule, Inject, Module } from '@nestjs/common';
import { Settings } from './settings';

/** Injection token of the {@link Settings}. */
export const SETTINGS = Symbol('SETTINGS');

/** Injects the {@link Settings} into a constructor parameter or a property. */
export function InjectSettings(): PropertyDecorator & ParameterDecorator {
  return Inject(SETTINGS);
}

/** Offers settings that were read before Nest started to every module. */
@Module({})
export class SettingsModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [{ provide: SETTINGS, useValue: settings }],
      exports: [SETTINGS],
    };
  }
}
