import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scripts } from '../../package.json';
import { differencesFromLedger, insidesOutsideLedger, readLedger } from './foreign-insides';
import { parseSourceFiles, readSourceFiles } from './source-files';

const root = join(__dirname, '..', '..');
const ledger = readLedger(readFileSync(join(root, 'docs', 'foreign-insides.md'), 'utf8'));
const project = readSourceFiles(root, [
  'src',
  'test',
  'packages/client/test',
  'packages/create',
  'packages/mcp',
]);

describe('docs/foreign-insides.md', () => {
  it('names exactly the files that have the sign of each row', () => {
    expect(ledger.length).toBeGreaterThan(20);
    expect(differencesFromLedger(project, ledger)).toEqual([]);
  });

  it('lists every file that reaches into another package, including tests', () => {
    expect(insidesOutsideLedger(project, ledger)).toEqual([]);
  });

  it.each(ledger.map(({ sign, guards }) => [sign, guards] as const))(
    'names for %s an existing spec or the type check',
    (_sign, guards) => {
      expect(guards).not.toEqual([]);
      for (const guard of guards) {
        const script = /^npm run (\S+)$/.exec(guard)?.[1];
        expect(script === undefined ? existsSync(join(root, guard)) : Object.hasOwn(scripts, script)).toBe(
          true,
        );
      }
    },
  );
});

describe('The parser of docs/foreign-insides.md', () => {
  const [entry] = readLedger('| `_handle` of Node | `src/a.ts`, `src/b.ts` | because | `test/a.spec.ts` |');

  it('reads the sign, the files and the guards of a row', () => {
    expect(entry).toEqual({ sign: '_handle', files: ['src/a.ts', 'src/b.ts'], guards: ['test/a.spec.ts'] });
  });

  it('reports a file that is missing in the page or in the code', () => {
    const files = parseSourceFiles({
      'src/b.ts': 'const { _handle: handle } = socket;',
      'src/c.ts': 'socket._handle;',
    });
    expect(differencesFromLedger(files, entry ? [entry] : [])).toEqual([
      'src/c.ts has _handle: name the file in that row of the ledger.',
      'src/a.ts no longer has _handle: take it out of the ledger.',
    ]);
  });
});

describe('The search for foreign insides', () => {
  it('finds them in tests too, except for type assertions', () => {
    const files = parseSourceFiles({
      'test/a.spec.ts': `const a = b as unknown as { c: number };\nsocket._handle.fd;`,
      'src/a.spec.ts': `import { a } from 'typeorm/metadata/a';`,
    });
    expect(insidesOutsideLedger(files, [])).toEqual([
      'src/a.spec.ts:1 imports typeorm/metadata/a: put it into the ledger.',
      'test/a.spec.ts:2 reads _handle, a private member: put it into the ledger.',
    ]);
  });

  it.each([
    [`import { a } from '@nestjs/common/internal';`, 'imports @nestjs/common/internal'],
    [`import { a } from 'class-transformer/cjs/storage';`, 'imports class-transformer/cjs/storage'],
    ['socket._handle.fd;', 'reads _handle, a private member'],
    ['const { _handle: handle } = socket;', 'reads _handle, a private member'],
    ['const a = b as unknown as { secret: number };', 'gives a value a type that its package hides'],
    ['Server.prototype.close.call(server);', 'uses Server.prototype.close'],
    [`Reflect.getMetadata('swagger/apiTags', a);`, 'reads swagger/apiTags'],
    [`require.resolve('a/dist/a.js');`, 'reads a file of a package'],
  ])('finds the use %s', (code, what) => {
    const files = parseSourceFiles({ 'src/a.ts': code });
    expect(insidesOutsideLedger(files, [])).toEqual([`src/a.ts:1 ${what}: put it into the ledger.`]);
  });

  it.each([
    `import { join } from 'node:path/posix';`,
    `import { stringify } from 'csv-stringify/sync';`,
    `import { Module } from '@nestjs/common';`,
    'const a = dto.prototype as object;',
    'const a = b as { c: number };',
  ])('accepts what a package exports: %s', (code) => {
    expect(insidesOutsideLedger(parseSourceFiles({ 'src/a.ts': code }), [])).toEqual([]);
  });
});
