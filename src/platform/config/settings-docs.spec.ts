import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { loadSettings } from './load-settings';
import { Setting } from './setting';
import { SETTINGS_DECLARATION } from './settings';
import { renderEnvExample, renderSettingsPage } from './settings-docs';
import { runSettingsDocs, syncSettingsDocs } from './write-settings-docs';

const declared = Object.entries<Setting>(SETTINGS_DECLARATION);
const names = declared.map(([name]) => name);

describe('.env.example', () => {
  const text = renderEnvExample();

  it('holds each setting exactly once with its default, commented out', () => {
    expect(text.match(/^# [A-Z_]+=.*$/gm)).toEqual(
      declared.map(([name, setting]) => `# ${name}=${setting.default ?? ''}`),
    );
    expect(parseEnv(text)).toEqual({});
  });

  it('gives the defaults when every line is switched on', () => {
    const env = parseEnv(text.replace(/^# (?=[A-Z_]+=)/gm, ''));
    expect(Object.keys(env)).toHaveLength(names.length);
    expect(loadSettings(env)).toEqual(loadSettings({}));
  });

  it('holds examples that are valid as they stand in the file', () => {
    const examples = [...text.matchAll(/^# Example: (.*)\n# ([A-Z_]+)=/gm)];
    expect(examples).toHaveLength(declared.filter(([, { example }]) => example).length);
    // Replicas need a server to be replicas of, and the settings of OIDC need each other.
    const beside: Record<string, string | undefined> = { DATABASE_URL: 'postgres://localhost/petstore' };
    for (const [, example, name] of examples) if (/^(OIDC|CONSOLE)_/.test(name!)) beside[name!] = example;
    for (const [, example, name] of examples) {
      const read = parseEnv(`${name}=${example}`);
      expect(loadSettings({ ...beside, ...read })).toEqual(loadSettings({ ...beside, [name!]: example }));
    }
  });

  it('says what each setting does and which values it allows, in lines of at most 100 characters', () => {
    const prose = text.replaceAll('\n# ', ' ');
    for (const [name, { description, kind, secret }] of declared) {
      const file = secret ? ` ${name}_FILE names a file that holds it instead.` : '';
      expect(prose).toContain(`${description.replaceAll('`', '')}${file} Allowed: ${kind.allowed}.`);
    }
    const wide = text.split('\n').filter((line) => line.length > 100 && !line.startsWith('# Example: '));
    expect(wide).toEqual([]);
  });
});

describe('the page of the settings', () => {
  const page = renderSettingsPage();

  it('holds each setting exactly once, under a heading of its own, with what it means', () => {
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, name]) => name)).toEqual(names);
    for (const [name, { description }] of declared) {
      expect(page).toContain(`## ${name}\n\n${description}`);
    }
  });
});

describe('syncSettingsDocs', () => {
  let root: string;
  const read = (file: string) => readFileSync(join(root, file), 'utf8');

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'petstore-docs-'));
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('writes both files where they are missing', () => {
    expect(syncSettingsDocs(root, true)).toEqual(['.env.example', 'docs/settings.md']);
    expect(read('.env.example')).toBe(renderEnvExample());
    expect(read('docs/settings.md')).toBe(renderSettingsPage());
    expect(syncSettingsDocs(root, false)).toEqual([]);
  });

  it('names the files that differ and writes nothing when it only checks', () => {
    syncSettingsDocs(root, true);
    writeFileSync(join(root, '.env.example'), 'PORT=1\n');
    expect(syncSettingsDocs(root, false)).toEqual(['.env.example']);
    expect(read('.env.example')).toBe('PORT=1\n');
  });

  it('complains as a command with --check about what is behind, and not after writing', () => {
    expect(runSettingsDocs(['--check'], root)).toBe(
      'Behind the declaration of the settings: .env.example, docs/settings.md. Run npm run settings.',
    );
    expect(runSettingsDocs([], root)).toBeUndefined();
    expect(runSettingsDocs(['--check'], root)).toBeUndefined();
  });
});
