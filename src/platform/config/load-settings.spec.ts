import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { tokenOfSecret } from '../security/api-key-token';
import { OperationStates } from '../deprecation/operation-states';
import { Environment, loadEnvironment, loadSettings, redactedSettings, SettingsError } from './load-settings';
import { memberName, Setting } from './setting';
import { Settings, SETTINGS_DECLARATION } from './settings';

const declared = Object.entries<Setting>(SETTINGS_DECLARATION);
const names = declared.map(([name]) => name);
const token = tokenOfSecret(Buffer.alloc(32, 7));

function faultsOf(load: () => unknown): readonly string[] {
  try {
    load();
  } catch (error) {
    if (error instanceof SettingsError) {
      expect(error.message).toBe(error.faults.join('\n'));
      return error.faults;
    }
    throw error;
  }
  return [];
}

describe('loadSettings', () => {
  it('returns the documented defaults without any variable', () => {
    expect(loadSettings({})).toEqual({
      nodeEnv: 'development',
      host: '127.0.0.1',
      port: 3000,
      drainDelay: 0,
      managementHost: '127.0.0.1',
      managementPort: 3001,
      managementAllowedHosts: [],
      consoleOrigin: undefined,
      consoleKeySignIn: true,
      oidcIssuer: undefined,
      oidcClientId: undefined,
      oidcClientSecret: undefined,
      oidcScopes: 'openid profile email',
      oidcGroupsClaim: 'groups',
      oidcRoles: undefined,
      trustProxy: [],
      rateLimitPerMinute: 600,
      redisUrl: undefined,
      databaseUrl: 'sqlite:./data/petstore.sqlite',
      databaseReplicaUrls: [],
      migrateOnStart: undefined,
      databasePoolSize: 10,
      databaseStatementTimeoutMs: 5000,
      bootstrapApiKey: undefined,
      keyMaxLifetimeDays: 0,
      keyIdleDays: 0,
      publicBaseUrl: undefined,
      productionBaseUrl: undefined,
      stagingBaseUrl: undefined,
      corsOrigins: [],
      logLevel: 'info',
      requestLogDays: 7,
      recordHistoryDays: 90,
      otelExporterOtlpEndpoint: undefined,
      deprecatedOperations: new Map(),
      auditLog: false,
      auditRetentionDays: 0,
      backupPath: undefined,
      requestTimeoutMs: 30_000,
      keepAliveTimeout: 75_000,
      maxConnections: 2_000,
    } satisfies Settings);
  });

  it('takes an empty variable for an unset one', () => {
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(loadSettings(empty)).toEqual(loadSettings({}));
  });

  it('returns typed values from the environment', () => {
    const settings = loadSettings({
      PORT: '0',
      MIGRATE_ON_START: 'false',
      CORS_ORIGINS: 'https://a.example',
      LOG_LEVEL: 'silent',
      BOOTSTRAP_API_KEY: token,
      DEPRECATED_OPERATIONS: 'getPet=removed',
    });
    expect(settings).toMatchObject({
      port: 0,
      migrateOnStart: false,
      corsOrigins: ['https://a.example'],
      logLevel: 'silent',
      bootstrapApiKey: token,
      deprecatedOperations: new Map([['getPet', { state: 'removed' }]]),
    });
  });

  it('types each setting by its kind, and as optional only when it has no default', () => {
    type Exactly<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
    const checks: [
      Exactly<Settings['port'], number>,
      Exactly<Settings['migrateOnStart'], boolean | undefined>,
      Exactly<Settings['corsOrigins'], readonly string[]>,
      Exactly<Settings['logLevel'], 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'>,
      Exactly<Settings['deprecatedOperations'], OperationStates>,
    ] = [true, true, true, true, true];
    expect(checks).not.toContain(false);
  });

  it('freezes the settings', () => {
    const settings = loadSettings({});
    expect(Object.isFrozen(settings)).toBe(true);
    expect(Object.isFrozen(settings.corsOrigins)).toBe(true);
  });

  it('lists the faults of all settings at once, one a line, each with its name', () => {
    const values = Object.fromEntries(names.map((name) => [name, '?']));
    expect(faultsOf(() => loadSettings(values)).map((fault) => fault.split(' ')[0])).toEqual(names);
  });

  it('refuses settings that do not go together, beside other faults', () => {
    const replicas = { DATABASE_REPLICA_URLS: 'postgres://petstore@replica-1/petstore' };
    expect(faultsOf(() => loadSettings({ PORT: 'x', ...replicas }))).toEqual([
      'PORT must be an integer from 0 to 65535.',
      'DATABASE_REPLICA_URLS must be empty unless DATABASE_URL is a PostgreSQL server.',
    ]);
  });

  it('never repeats a faulty value', () => {
    const values = Object.fromEntries(names.map((name) => [name, '?hunter2?']));
    values['DATABASE_URL'] = 'postgres://user:hunter2#hunter2@localhost/petstore';
    values['OIDC_CLIENT_SECRET'] = 'hunter2';
    const faults = faultsOf(() => loadSettings(values));
    expect(faults).toHaveLength(names.length);
    expect(faults.join()).not.toContain('hunter2');
  });

  it('accepts every example of the declaration', () => {
    const examples = Object.fromEntries(declared.map(([name, setting]) => [name, setting.example]));
    expect(faultsOf(() => loadSettings(examples))).toEqual([]);
  });

  it('returns valid settings or faults that name settings for arbitrary text', () => {
    const plausible = fc.constantFrom(
      ...declared.flatMap(([, { default: text, example }]) => [text ?? '', example ?? '']),
      'true',
      '0',
      '70000',
      '*',
      token,
      'getPet=brownout(2030-01-01T00:00Z/PT1H,)',
      'postgres://',
      '%',
    );
    const text = fc.oneof(plausible, fc.string({ unit: 'binary' }), fc.constant(undefined));
    const outcomes = { valid: 0, faulty: 0 };
    const perName = Object.fromEntries(names.map((name) => [name, text]));
    fc.assert(
      fc.property(fc.record(perName, { requiredKeys: [] }), (env: Environment) => {
        const faults = faultsOf(() => loadSettings(env));
        outcomes[faults.length > 0 ? 'faulty' : 'valid'] += 1;
        for (const fault of faults) {
          expect(names).toContain(fault.split(' ')[0]);
          expect(fault).toMatch(/^\w+ must .*\.$/);
        }
      }),
      { examples: [[{}], [{ PORT: '?' }]] },
    );
    expect(Math.min(outcomes.valid, outcomes.faulty)).toBeGreaterThan(0);
  });
});

describe('redactedSettings', () => {
  const secretEnvironment = {
    BOOTSTRAP_API_KEY: token,
    DATABASE_URL: 'postgres://user:hunter2@localhost/petstore',
    PORT: '3000',
  };

  it('lists every setting once with its value, its source and its description', () => {
    const rows = redactedSettings(loadSettings(secretEnvironment));
    expect(rows.map((row) => row.name)).toEqual(names);
    expect(rows).toContainEqual({
      name: 'PORT',
      value: '3000',
      source: 'environment',
      description: SETTINGS_DECLARATION.PORT.description,
    });
    expect(rows).toContainEqual(
      expect.objectContaining({ name: 'HOST', value: '127.0.0.1', source: 'default' }),
    );
    expect(rows).toContainEqual(expect.objectContaining({ name: 'MIGRATE_ON_START', value: '' }));
  });

  it('hides a secret, and of the database address the password alone', () => {
    const rows = redactedSettings(loadSettings(secretEnvironment));
    expect(JSON.stringify(rows)).not.toMatch(/hunter2|petk_a/);
    expect(rows).toContainEqual(expect.objectContaining({ name: 'BOOTSTRAP_API_KEY', value: '[redacted]' }));
    expect(rows).toContainEqual(
      expect.objectContaining({ name: 'DATABASE_URL', value: 'postgres://user:***@localhost/petstore' }),
    );
  });

  it('refuses settings that were not loaded, as it cannot tell where they come from', () => {
    expect(() => redactedSettings({ ...loadSettings({}) })).toThrow(TypeError);
  });
});

describe('The declaration of the settings', () => {
  it.each(declared)('gives %s a description of one or two sentences', (_name, { description }) => {
    expect(description).toMatch(/^[A-Z][^]*\.$/);
    expect(description.split(/[.;] /).length).toBeLessThanOrEqual(3);
  });

  it('maps each name to a member of its own', () => {
    expect(Object.keys(loadSettings({}))).toEqual(names.map(memberName));
    expect(memberName('DATABASE_POOL_SIZE')).toBe('databasePoolSize');
  });
});

describe('loadEnvironment', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'petstore-env-'));
  });

  afterEach(() => {
    delete process.env['PETSTORE_SPEC_A'];
    rmSync(folder, { recursive: true });
  });

  it('puts the environment over .env and leaves process.env as it is', () => {
    process.env['PETSTORE_SPEC_A'] = 'environment';
    writeFileSync(join(folder, '.env'), 'PETSTORE_SPEC_A=file\n# comment\nPETSTORE_SPEC_B="file"\n');
    expect(loadEnvironment(folder)).toMatchObject({
      PETSTORE_SPEC_A: 'environment',
      PETSTORE_SPEC_B: 'file',
    });
    expect(process.env['PETSTORE_SPEC_B']).toBeUndefined();
  });

  it('lets an empty variable of the environment blank a line of .env', () => {
    process.env['PETSTORE_SPEC_A'] = '';
    writeFileSync(join(folder, '.env'), 'PETSTORE_SPEC_A=file\n');
    expect(loadEnvironment(folder)['PETSTORE_SPEC_A']).toBe('');
  });

  it('reads a file that begins with a byte order mark', () => {
    writeFileSync(join(folder, '.env'), '\uFEFFPETSTORE_SPEC_B=file\n');
    expect(loadEnvironment(folder)['PETSTORE_SPEC_B']).toBe('file');
  });

  it('uses the environment alone when there is no .env', () => {
    expect(loadEnvironment(folder)).toEqual({ ...process.env });
  });

  it('names a file that cannot be read', () => {
    mkdirSync(join(folder, '.env'));
    expect(faultsOf(() => loadEnvironment(folder))).toEqual([
      `The file ${join(folder, '.env')} cannot be read (EISDIR).`,
    ]);
  });
});
