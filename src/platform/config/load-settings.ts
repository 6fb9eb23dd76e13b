import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import {
  type FeatureSettings,
  InferSettings,
  memberName,
  Setting,
  SettingsDeclaration,
  variablesOf,
} from './setting';
import { Settings, SETTINGS_DECLARATION } from './settings';
import { removedFaults } from './removed-settings';
import { faultsBetween } from './settings-faults';

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings cannot be used. The message lists every fault, one a line; none repeats a value. */
export class SettingsError extends Error {
  constructor(
    readonly faults: readonly string[],
    options?: ErrorOptions,
  ) {
    super(faults.join('\n'), options);
    this.name = 'SettingsError';
  }
}

/** A setting without its secrets: it may be printed and logged. */
export interface PrintedSetting {
  readonly name: string;
  /** Value as written in the environment, secrets redacted; empty when unset. */
  readonly value: string;
  readonly source: 'default' | 'environment' | 'file';
  readonly description: string;
}

/** The origin of settings. */
interface Origin {
  /** The variables they were read from, for the settings that features declare. */
  readonly environment: Environment;
  readonly rows: readonly PrintedSetting[];
  /** The variables that declared settings are read from. */
  readonly variables: readonly string[];
}

// Kept beside the settings, not in them: a typed value no longer tells its text, nor where that came from.
const origins = new WeakMap<Settings, Origin>();

/**
 * Reads and validates every setting. An empty variable counts as unset. A secret may come from a file instead, which the
 * variable with `_FILE` after the setting's name names.
 *
 * @param features declarations of features, to be checked and printed beside those of the service
 * @throws {SettingsError} with all faults at once
 */
export function loadSettings(env: Environment, features: readonly FeatureSettings[] = []): Settings {
  const own = readDeclared(SETTINGS_DECLARATION, env);
  const settings = Object.freeze(own.values) as unknown as Settings;
  const others = features.map((feature) => readDeclared(feature.settings, env));
  const faults = [
    ...own.faults,
    ...faultsBetween(settings),
    ...others.flatMap((each) => each.faults),
    ...removedFaults(env),
  ];
  if (faults.length > 0) {
    throw new SettingsError(faults);
  }
  origins.set(settings, {
    environment: env,
    rows: [own, ...others].flatMap((each) => each.rows),
    variables: [SETTINGS_DECLARATION, ...features.map((feature) => feature.settings)].flatMap(variablesIn),
  });
  return settings;
}

/** Returns settings with some of their values replaced. */
export function changedSettings(settings: Settings, changes: Partial<Settings>): Settings {
  const changed = Object.freeze({ ...settings, ...changes });
  origins.set(changed, originOf(settings));
  return changed;
}

/**
 * Checks the settings that features declare, by the variables that these settings were read from.
 *
 * @returns the same settings, which are printed with those of the features
 * @throws {SettingsError} with all faults at once
 */
export function withFeatureSettings(settings: Settings, features: readonly FeatureSettings[]): Settings {
  const { environment, rows, variables } = originOf(settings);
  const read = features.map((feature) => readDeclared(feature.settings, environment));
  const faults = read.flatMap((each) => each.faults);
  if (faults.length > 0) {
    throw new SettingsError(faults);
  }
  const whole = Object.freeze({ ...settings });
  origins.set(whole, {
    environment,
    rows: [...rows, ...read.flatMap((each) => each.rows)],
    variables: [...variables, ...features.flatMap((feature) => variablesIn(feature.settings))],
  });
  return whole;
}

/**
 * Returns the typed values of a feature's settings, by the variables that these settings were read from.
 *
 * @throws {SettingsError} with all faults at once
 */
export function settingsIn<Declaration extends SettingsDeclaration>(
  settings: Settings,
  declaration: Declaration,
): InferSettings<Declaration> {
  const { values, faults } = readDeclared(declaration, originOf(settings).environment);
  if (faults.length > 0) {
    throw new SettingsError(faults);
  }
  return Object.freeze(values) as InferSettings<Declaration>;
}

function originOf(settings: Settings): Origin {
  const origin = origins.get(settings);
  if (!origin) {
    throw new TypeError('These settings do not come from loadSettings.');
  }
  return origin;
}

/** Typed values of declared settings by their members, their rows for printing, and faults. */
interface ReadSettings {
  readonly values: Readonly<Record<string, unknown>>;
  readonly rows: readonly PrintedSetting[];
  readonly faults: readonly string[];
}

function readDeclared(declaration: SettingsDeclaration, env: Environment): ReadSettings {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  const rows: PrintedSetting[] = [];
  for (const [name, setting] of Object.entries<Setting>(declaration)) {
    const given = setting.secret ? secretOf(name, env) : givenIn(env, name);
    const text = given?.text ?? setting.default;
    const parsed = given?.fault ?? (text === undefined ? { value: undefined } : setting.kind.parse(text));
    if ('fault' in parsed) {
      faults.push(`${name} ${parsed.fault}.`);
      continue;
    }
    values[memberName(name)] = parsed.value;
    rows.push({
      name,
      value: text === undefined ? '' : shown(setting, text),
      source: given?.source ?? 'default',
      description: setting.description,
    });
  }
  return { values, rows, faults };
}

/** Returns the settings in the order of their declaration, for printing; `settings` is the result of `loadSettings`. */
export function redactedSettings(settings: Settings): readonly PrintedSetting[] {
  return originOf(settings).rows;
}

/** Returns the names of the variables that have a value and that no declared setting is read from. */
export function otherVariables(settings: Settings): {
  readonly others: string[];
  readonly known: readonly string[];
} {
  const { environment, variables: known } = originOf(settings);
  const others = Object.keys(environment).filter((name) => environment[name] && !known.includes(name));
  return { others, known };
}

function variablesIn(declaration: SettingsDeclaration): string[] {
  return Object.entries<Setting>(declaration).flatMap(([name, { secret }]) => variablesOf(name, secret));
}

/**
 * Reads the variables of this process over those of the file `.env` in `cwd`, as `process.loadEnvFile` would merge them;
 * `process.env` itself stays as it is. A missing file is no fault.
 *
 * @throws {SettingsError} when there is such a file and it cannot be read
 */
export function loadEnvironment(cwd: string = process.cwd()): Environment {
  return { ...readEnvFile(join(cwd, '.env')), ...process.env };
}

/** Text given for a setting and its source, or the fault of that source. */
interface Given {
  readonly text?: string;
  readonly source: 'environment' | 'file';
  readonly fault?: { readonly fault: string };
}

function givenIn(env: Environment, name: string): Given | undefined {
  const text = env[name] || undefined;
  return text === undefined ? undefined : { text, source: 'environment' };
}

/** Reads a secret, from a file if one is named: an environment is seen by every child process and in many a fault report. */
function secretOf(name: string, env: Environment): Given | undefined {
  const file = givenIn(env, `${name}_FILE`)?.text;
  const direct = givenIn(env, name);
  if (file === undefined) return direct;
  const refused = (fault: string): Given => ({ source: 'file', fault: { fault } });
  if (direct) return refused(`and ${name}_FILE must not both be set`);
  try {
    // Editors and `echo` end the file with a line break that does not belong to the secret.
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return text === '' ? refused('must not come from an empty file') : { text, source: 'file' };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return refused(`cannot be read from the file that ${name}_FILE names (${code})`);
  }
}

function readEnvFile(path: string): Environment {
  try {
    // Some editors begin the file with a byte order mark, which parseEnv takes for a part of the first name.
    return parseEnv(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      return {};
    }
    throw new SettingsError([`The file ${path} cannot be read (${code}).`], { cause: error });
  }
}

function shown(setting: Setting, text: string): string {
  if (!setting.secret) {
    return text;
  }
  return setting.kind.redact?.(text) ?? '[redacted]';
}
