import { DynamicModule, Inject, Module } from '@nestjs/common';
import { settingsIn } from './load-settings';
import type { FeatureSettings, SettingsDeclaration } from './setting';
import { Settings } from './settings';

/** Injection token of the {@link Settings}. */
export const SETTINGS = Symbol('SETTINGS');

const tokens = new WeakMap<SettingsDeclaration, symbol>();

/** Injection token of the settings that a feature declares. */
function tokenOf(declaration: SettingsDeclaration): symbol {
  const known = tokens.get(declaration);
  if (known) return known;
  const token = Symbol(
    `settings ${Object.keys(declaration).join(', ')}, which @Feature({ settings }) declares`,
  );
  tokens.set(declaration, token);
  return token;
}

/**
 * Injects settings into a constructor parameter or a property: the {@link Settings} of the service, or those that a feature
 * declares, `InferSettings<typeof ORDERS_SETTINGS>`.
 */
export function InjectSettings(declaration?: SettingsDeclaration): PropertyDecorator & ParameterDecorator {
  return Inject(declaration ? tokenOf(declaration) : SETTINGS);
}

/** Offers the settings that features declare to every module. */
@Module({})
export class FeatureSettingsModule {
  /** @throws {SettingsError} with all faults of a feature's settings */
  static forRoot(settings: Settings, features: readonly FeatureSettings[]): DynamicModule {
    const providers = features.map((feature) => ({
      provide: tokenOf(feature.settings),
      useValue: settingsIn(settings, feature.settings),
    }));
    return { module: FeatureSettingsModule, global: true, providers, exports: providers };
  }
}
