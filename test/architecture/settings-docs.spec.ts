import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SETTINGS_DECLARATION } from '../../src/platform/config/settings';
import { syncSettingsDocs } from '../../src/platform/config/write-settings-docs';

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

  it('are committed as they are generated from the declaration', () => {
    expect(syncSettingsDocs(ROOT, false)).toEqual([]);
  });

  it.each(DOCUMENTS)('are reported as outdated when %s lacks a setting', (file) => {
    const text = readFileSync(join(copy, file), 'utf8');
    const without = text.replaceAll(/^.*SQLITE_BUSY_TIMEOUT_MS.*\n/gm, '');
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
