import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { loadSettings } from './load-settings';
import { Setting } from './setting';
import { SETTINGS_DECLARATION } from './settings';
import { renderEnvExample, renderSettingsTable } from './settings-docs';
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
    // Replicas need a server to be replicas of.
    const beside = { DATABASE_URL: 'postgres://localhost/petstore' };
    for (const [, example, name] of examples) {
      const read = parseEnv(`${name}=${example}`);
      expect(loadSettings({ ...beside, ...read })).toEqual(loadSettings({ ...beside, [name!]: example }));
    }
  });

  it('tells the description and what is allowed, in lines of at most 100 characters', () => {
    const prose = text.replaceAll('\n# ', ' ');
    for (const [name, { description, kind, secret }] of declared) {
      const file = secret ? ` ${name}_FILE names a file that holds it instead.` : '';
      expect(prose).toContain(`${description.replaceAll('`', '')}${file} Allowed: ${kind.allowed}.`);
    }
    const wide = text.split('\n').filter((line) => line.length > 100 && !line.startsWith('# Example: '));
    expect(wide).toEqual([]);
  });
});

describe('the settings table', () => {
  const lines = renderSettingsTable().split('\n');

  it('holds each setting exactly once, in rows of four cells', () => {
    const rows = lines.filter((line) => line.startsWith('| `'));
    expect(rows.map((row) => /^\| `([A-Z_]+)` /.exec(row)?.[1])).toEqual(names);
    expect(rows.map((row) => row.split('|').length)).toEqual(rows.map(() => 6));
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

  it('writes both files, and a README.md that is missing', () => {
    expect(syncSettingsDocs(root, true)).toEqual(['.env.example', 'README.md']);
    expect(read('.env.example')).toBe(renderEnvExample());
    expect(read('README.md')).toContain(renderSettingsTable());
    expect(syncSettingsDocs(root, false)).toEqual([]);
  });

  it('replaces only what stands between the markers', () => {
    writeFileSync(
      join(root, 'README.md'),
      '# Before\n\n<!-- settings:begin -->\nold\n<!-- settings:end -->\n\nAfter\n',
    );
    syncSettingsDocs(root, true);
    expect(read('README.md')).toBe(
      `# Before\n\n<!-- settings:begin -->\n\n${renderSettingsTable()}\n\n<!-- settings:end -->\n\nAfter\n`,
    );
  });

  it('names the files that differ and writes nothing when it only checks', () => {
    syncSettingsDocs(root, true);
    writeFileSync(join(root, '.env.example'), 'PORT=1\n');
    expect(syncSettingsDocs(root, false)).toEqual(['.env.example']);
    expect(read('.env.example')).toBe('PORT=1\n');
  });

  it('refuses a README.md without the markers and leaves both files alone', () => {
    writeFileSync(join(root, 'README.md'), '# Mine\n');
    expect(() => syncSettingsDocs(root, true)).toThrow('README.md lacks the lines <!-- settings:begin -->');
    expect(read('README.md')).toBe('# Mine\n');
    expect(existsSync(join(root, '.env.example'))).toBe(false);
  });

  it('complains as a command with --check about what is behind, and not after writing', () => {
    expect(runSettingsDocs(['--check'], root)).toBe(
      'Behind the declaration of the settings: .env.example, README.md. Run node dist/src/platform/config/write-settings-docs.js.',
    );
    expect(runSettingsDocs([], root)).toBeUndefined();
    expect(runSettingsDocs(['--check'], root)).toBeUndefined();
    writeFileSync(join(root, 'README.md'), '# Mine\n');
    expect(runSettingsDocs([], root)).toMatch(/^README.md lacks the lines /);
  });
});
