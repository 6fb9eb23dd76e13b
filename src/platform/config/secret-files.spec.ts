import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokenOfSecret } from '../security/api-key-token';
import { type Environment, loadSettings, redactedSettings, SettingsError } from './load-settings';
import type { Setting } from './setting';
import { SETTINGS_DECLARATION } from './settings';

const token = tokenOfSecret(Buffer.alloc(32, 7));
const declared = Object.entries<Setting>(SETTINGS_DECLARATION);
const secrets = declared.filter(([, { secret }]) => secret).map(([name]) => name);

function faultsOf(env: Environment): readonly string[] {
  try {
    loadSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
  return [];
}

describe('A secret in a file', () => {
  let folder: string;
  let file: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'petstore-secrets-'));
    file = join(folder, 'secret');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function holding(text: string): string {
    writeFileSync(file, text);
    return file;
  }

  it.each([token, `${token}\n`, `${token}\r\n`])('is read, without the line break at its end: %j', (text) => {
    const settings = loadSettings({ BOOTSTRAP_API_KEY_FILE: holding(text) });
    expect(settings.bootstrapApiKey).toBe(token);
    expect(redactedSettings(settings)).toContainEqual(
      expect.objectContaining({ name: 'BOOTSTRAP_API_KEY', value: '[redacted]', source: 'file' }),
    );
  });

  it.each([`${token}\n\n`, ` ${token}`])('is validated as in the environment: %j', (text) => {
    const [fault] = faultsOf({ BOOTSTRAP_API_KEY_FILE: holding(text) });
    expect(fault).toMatch(/^BOOTSTRAP_API_KEY must be an API key/);
    expect(fault).not.toContain(token);
  });

  it.each(secrets)('is refused when %s is given both as a value and as a file', (name) => {
    const env = { [name]: 'x', [`${name}_FILE`]: holding('x') };
    expect(faultsOf(env)).toEqual([`${name} and ${name}_FILE must not both be set.`]);
  });

  it('is refused when its file is empty or missing', () => {
    expect(faultsOf({ DATABASE_URL_FILE: holding('\n') })).toEqual([
      'DATABASE_URL must not come from an empty file.',
    ]);
    expect(faultsOf({ DATABASE_URL_FILE: join(folder, 'nowhere') })).toEqual([
      'DATABASE_URL cannot be read from the file that DATABASE_URL_FILE names (ENOENT).',
    ]);
  });

  it('is unset when the variable with the path is empty', () => {
    expect(loadSettings({ DATABASE_URL_FILE: '' }).databaseUrl).toBe(
      SETTINGS_DECLARATION.DATABASE_URL.default,
    );
  });

  it('is possible for secrets only', () => {
    expect(secrets).toEqual([
      'OIDC_CLIENT_SECRET',
      'REDIS_URL',
      'DATABASE_URL',
      'DATABASE_REPLICA_URLS',
      'BOOTSTRAP_API_KEY',
    ]);
    expect(loadSettings({ PORT_FILE: holding('1') }).port).toBe(3000);
  });
});
