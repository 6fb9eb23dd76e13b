import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '..', '..');

/** A package as the lock file has it. */
interface LockedPackage {
  readonly license?: string;
  readonly dev?: true;
  readonly link?: true;
}

/** What is distributed: these ask for no more than a notice. */
const SHIPPED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-0-Clause',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
]);

/** What is not distributed may ask for more: changed files to be published, or an author to be named. */
const FOR_DEVELOPMENT = new Set([...SHIPPED, 'CC0-1.0', 'CC-BY-4.0', 'MPL-2.0']);

/** An expression of SPDX without parentheses inside parentheses, which no package has. */
function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((licence) => allowed.has(licence)));
}

/** The packages whose licence is not allowed where they are used, with that licence. */
function refused(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { license = licenceInManifest(path), dev }]) => ({ path, license, dev }))
    .filter(({ license, dev }) => !isAllowed(license, dev ? FOR_DEVELOPMENT : SHIPPED))
    .map(({ path, license }) => `${path}: ${license}`);
}

/** Old packages have a list in a member that npm does not copy into the lock file. */
function licenceInManifest(path: string): string {
  try {
    const manifest = readFileSync(join(PROJECT, path, 'package.json'), 'utf8');
    const { licenses = [] } = JSON.parse(manifest) as { licenses?: { type: string }[] };
    return licenses.map(({ type }) => type).join(' AND ');
  } catch {
    return '';
  }
}

describe('The licence of every installed package', () => {
  it('is allowed where the package is used', () => {
    const lock = readFileSync(join(PROJECT, 'package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: Record<string, LockedPackage> };
    expect(Object.keys(packages).length).toBeGreaterThan(300);
    expect(refused(packages)).toEqual([]);
  });

  it.each<[string, LockedPackage, boolean]>([
    ['GPL-3.0-only', { license: 'GPL-3.0-only' }, false],
    ['none', {}, false],
    ['one of two', { license: '(MIT OR GPL-2.0)' }, true],
    ['one beside another that is not allowed', { license: 'MIT AND GPL-2.0' }, false],
    ['MPL-2.0 in production', { license: 'MPL-2.0' }, false],
    ['MPL-2.0 in development', { license: 'MPL-2.0', dev: true }, true],
  ])('is accepted or refused by its terms: %s', (_title, found, isFine) => {
    expect(refused({ 'node_modules/x': found })).toEqual(
      isFine ? [] : [expect.stringMatching(/^node_modules\/x: /)],
    );
  });
});

describe('The licence of this project', () => {
  it('is UNLICENSED in every package.json, LICENSE and the image, and proprietary in the document', () => {
    const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
    const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: PROJECT })];
    expect(manifests.length).toBeGreaterThan(4);
    for (const file of manifests)
      expect([file, JSON.parse(read(file))]).toEqual([
        file,
        expect.objectContaining({ license: 'UNLICENSED' }),
      ]);
    expect(read('LICENSE')).toMatch(/All rights reserved\.[^]*UNLICENSED/);
    expect(read('Dockerfile')).toContain('image.licenses="UNLICENSED"');
    expect(JSON.parse(read('docs/openapi.json'))).toMatchObject({
      info: { license: { name: 'Proprietary' } },
    });
  });
});
