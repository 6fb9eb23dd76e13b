import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as features from '../../src/features';
import { SETTINGS_DECLARATION } from '../../src/platform/config/settings';
import { renderEnvExample, renderSettingsPage } from '../../src/platform/config/settings-docs';
import { runSettingsDocs, syncSettingsDocs } from '../../src/process/write-settings-docs';
import { settingsOf } from '../../src/platform/features/feature-modules';

const ROOT = join(__dirname, '..', '..');
const DOCUMENTS = ['.env.example', 'docs/settings.md'];

describe('The documents of the settings', () => {
  let copy: string;

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'petstore-settings-'));
    mkdirSync(join(copy, 'docs'));
    for (const file of DOCUMENTS) cpSync(join(ROOT, file), join(copy, file));
  });
  afterEach(() => rmSync(copy, { recursive: true }));

  it.each(DOCUMENTS)('are reported as outdated when %s lacks a setting', (file) => {
    const text = readFileSync(join(copy, file), 'utf8');
    const without = text.replaceAll(/^.*DATABASE_POOL_SIZE.*\n/gm, '');
    expect(without).not.toBe(text);
    writeFileSync(join(copy, file), without);
    expect(syncSettingsDocs(copy, false)).toEqual([file]);
  });

  it.each(DOCUMENTS)('name every setting in %s', (file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const missing = Object.keys(SETTINGS_DECLARATION).filter((name) => !text.includes(name));
    expect(missing).toEqual([]);
  });
});

describe('The writer of the documents of the settings', () => {
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
    const declared = settingsOf(features);
    expect(read('.env.example')).toBe(renderEnvExample(declared));
    expect(read('docs/settings.md')).toBe(renderSettingsPage(declared));
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
      'Behind the declaration of the settings: .env.example, docs/settings.md. Run npm run artefacts.',
    );
    expect(runSettingsDocs([], root)).toBeUndefined();
    expect(runSettingsDocs(['--check'], root)).toBeUndefined();
  });
});
