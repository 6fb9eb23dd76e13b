import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as exported from '../../src/platform/exports';
import * as columns from '../../src/platform/database/column-types';
import * as fields from '../../src/platform/validation/fields';
import * as parameters from '../../src/platform/validation/parameters';
import { readSourceFiles } from './source-files';

const root = join(__dirname, '..', '..');

describe('The exports of @petstore/platform', () => {
  it('include everything that the templates import, and every decorator that the generator knows', () => {
    const [list] = readSourceFiles(root, ['src/platform']).filter(
      ({ path }) => path === 'src/platform/exports.ts',
    );
    const names = new Set(list?.imports.flatMap((line) => line.names));
    const templates = globSync(
      join(root, 'packages', 'create', 'src', '*', 'files', '**', '*.template'),
    ).flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/import (?:type )?\{ ([\w, ]+) \} from '[./]+\/platform\//g),
    ]);
    const declared = [fields, columns, parameters].flatMap((file) => Object.keys(file));
    const generated = declared.filter((name) => /^[A-Z]\w*(Field|Column|Parameter|Key)$/.test(name));
    const wanted = new Set([...generated, ...templates.flatMap(([, used = '']) => used.split(', '))]);
    expect(wanted.size).toBeGreaterThan(35);
    expect([...wanted].filter((name) => !names.has(name))).toEqual([]);
    expect(Object.keys(exported).length).toBeGreaterThan(50);
  });
});
