import { join } from 'node:path';
import * as exported from '../../src/platform/exports';
import * as columns from '../../src/platform/database/column-types';
import * as fields from '../../src/platform/validation/fields';
import * as parameters from '../../src/platform/validation/parameters';
import { readSourceFiles } from './source-files';

const root = join(__dirname, '..', '..');

describe('The exports of @petstore/platform', () => {
  it('include every decorator that the generator knows', () => {
    const [list] = readSourceFiles(root, ['src/platform']).filter(
      ({ path }) => path === 'src/platform/exports.ts',
    );
    const names = new Set(list?.imports.flatMap((line) => line.names));
    const declared = [fields, columns, parameters].flatMap((file) => Object.keys(file));
    const generated = declared.filter((name) => /^[A-Z]\w*(Field|Column|Parameter|Key)$/.test(name));
    expect(generated.length).toBeGreaterThan(30);
    expect(generated.filter((name) => !names.has(name))).toEqual([]);
    expect(Object.keys(exported).length).toBeGreaterThan(50);
  });
});
