import type { DynamicModule, ModuleMetadata, NestModule, Type } from '@nestjs/common';
import { type FeatureSettings, type Setting, variablesOf } from '../config/setting';
import { SETTINGS_DECLARATION } from '../config/settings';
import type { CommandGroup } from '../cli/cli';
import type { SchemaPart } from '../database/driver/schema-parts';
import { CONSOLE_SCOPES_METADATA, REQUIRED_SCOPES_METADATA } from '../security/access.decorators';
import type { AdminRecords } from './admin-records';
import { featureOptions } from './feature.decorator';

/** A feature: a Nest module, in any form that Nest's own `imports` take. */
export type FeatureModule = Type | DynamicModule;

/** Exports of `src/features.ts`, by name and in the order of its lines. */
export type Features = Readonly<Record<string, FeatureModule>>;

/** Names under which `@Module()` keeps its options with the class. */
const DECLARATIONS: readonly (keyof ModuleMetadata)[] = ['imports', 'controllers', 'providers', 'exports'];

/**
 * Returns the modules of the features, in the order of their lines.
 *
 * @throws Error when an export is not a module
 */
export function featureModules(features: Features): FeatureModule[] {
  for (const [name, feature] of Object.entries<unknown>(features)) {
    if (!isFeature(feature)) {
      throw new Error(
        `src/features.ts exports ${name}, which is not a Nest module: export a class whose @Module() declares something, or a dynamic module.`,
      );
    }
  }
  return Object.values(features);
}

/**
 * Returns the records that the features let operators work with, in the order of their lines.
 *
 * @throws Error when an export is not a module, or two features give their records the same name
 */
export function recordsOf(features: Features): readonly AdminRecords[] {
  const owners = new Map<string, string>();
  return featureModules(features).flatMap((feature) => {
    const { name: module } = classOf(feature);
    const records = featureOptions(classOf(feature))?.admin;
    if (!records) return [];
    const owner = owners.get(records.name);
    if (owner !== undefined) {
      throw new Error(`${owner} and ${module} both declare records named "${records.name}".`);
    }
    owners.set(records.name, module);
    return [records];
  });
}

/** Returns the scopes that the operations and pages of the features require, sorted. */
export function scopesOf(features: Features): string[] {
  const controllers = featureModules(features).flatMap(
    (feature) => (Reflect.getMetadata('controllers', classOf(feature)) as Type[] | undefined) ?? [],
  );
  const scopes = controllers.flatMap((controller) => {
    const handlers = Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object));
    return [controller, ...handlers.map(({ value }) => value as unknown)]
      .filter((target) => typeof target === 'function')
      .flatMap((target) =>
        [REQUIRED_SCOPES_METADATA, CONSOLE_SCOPES_METADATA].flatMap(
          (key) => (Reflect.getMetadata(key, target) as string[] | undefined) ?? [],
        ),
      );
  });
  return [...new Set(scopes)].sort();
}

/** Returns the entities and migrations that the features bring along, in the order of their lines. */
export function schemaOf(features: Features): SchemaPart[] {
  return featureModules(features).map((feature) => {
    const { entities = [], migrations = [] } = featureOptions(classOf(feature)) ?? {};
    return { owner: classOf(feature).name, entities, migrations };
  });
}

/** Name of a setting: words in upper case, joined by underscores. */
const SETTING_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

/**
 * Returns the settings that the features declare, in the order of their lines.
 *
 * @throws Error when two have a name in common, one has that of a setting of the service, or a name is no name of a variable
 */
export function settingsOf(features: Features): FeatureSettings[] {
  const owners = new Map<string, string>();
  for (const [name, { secret }] of Object.entries<Setting>(SETTINGS_DECLARATION)) {
    for (const variable of variablesOf(name, secret)) owners.set(variable, 'the service');
  }
  return featureModules(features).flatMap((feature) => {
    const { name: owner } = classOf(feature);
    const settings = featureOptions(classOf(feature))?.settings;
    if (!settings) return [];
    for (const [name, { secret }] of Object.entries(settings)) {
      if (!SETTING_NAME.test(name)) {
        throw new Error(
          `${owner} declares the setting "${name}": name it in upper case, as in ORDERS_CARRIER_URL.`,
        );
      }
      for (const variable of variablesOf(name, secret)) {
        const other = owners.get(variable);
        if (other !== undefined) {
          throw new Error(
            `${owner} declares the setting ${name}, and ${variable} is one of ${other}: choose another name.`,
          );
        }
        owners.set(variable, owner);
      }
    }
    return [{ owner, settings }];
  });
}

/** Returns the commands that the features bring along, in the order of their lines. */
export function commandsOf(features: Features): CommandGroup[] {
  return featureModules(features).flatMap((feature) => featureOptions(classOf(feature))?.commands ?? []);
}

/**
 * Refuses modules whose routes would be served while operators would not find their records.
 *
 * @param loaded the classes of all modules of the application
 * @throws Error when one of them offers records and is not listed, but imported by another module
 */
export function refuseUnlistedRecords(features: Features, loaded: Iterable<Type>): void {
  const listed = new Set(featureModules(features).map(classOf));
  for (const module of loaded) {
    if (featureOptions(module)?.admin && !listed.has(module)) {
      throw new Error(
        `${module.name} offers records to operators, but src/features.ts does not list it: add a line that exports it.`,
      );
    }
  }
}

/** Returns whether a value can be a feature. */
export function isFeature(value: unknown): value is FeatureModule {
  return isModule(value) || isDynamicModule(value);
}

function classOf(feature: FeatureModule): Type {
  return isDynamicModule(feature) ? feature.module : feature;
}

function isModule(feature: unknown): boolean {
  if (typeof feature !== 'function') return false;
  // `@Module({})` leaves no mark; a module may configure middleware alone.
  const { configure } = (feature.prototype ?? {}) as Partial<NestModule>;
  return typeof configure === 'function' || DECLARATIONS.some((key) => Reflect.hasMetadata(key, feature));
}

function isDynamicModule(feature: unknown): feature is DynamicModule {
  const { module } = Object(feature) as Partial<DynamicModule>;
  return typeof feature === 'object' && typeof module === 'function';
}
