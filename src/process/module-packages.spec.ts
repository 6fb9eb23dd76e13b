import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../test/support/folders';
import { checkModulePackages } from './module-packages';

/** A service with this version of the platform, one module, and the packages installed for the module alone. */
function serviceWith(module: object, nested: Readonly<Record<string, object>> = {}): string {
  const root = makeFolder();
  const write = (path: string, manifest: object) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(manifest));
  };
  write('package.json', {
    name: 'petstore',
    dependencies: { '@acme/petstore-loyalty': 'file:x.tgz', 'not-installed': '1' },
  });
  write('node_modules/@petstore/platform/package.json', { name: '@petstore/platform', version: '1.4.2' });
  write('node_modules/typeorm/package.json', { name: 'typeorm', version: '1.1.1' });
  const folder = 'node_modules/@acme/petstore-loyalty';
  write(`${folder}/package.json`, { name: '@acme/petstore-loyalty', version: '3.1.0', ...module });
  for (const [name, manifest] of Object.entries(nested)) {
    write(`${folder}/node_modules/${name}/package.json`, { name, ...manifest });
  }
  return join(root, 'package.json');
}

const needs = (range: string) => ({ peerDependencies: { '@petstore/platform': range } });

describe('A module of another package', () => {
  it.each(['^1.0.0', '^1.4.0', '>=1.2 <3'])('starts with the service when it needs %s', async (range) => {
    await expect(checkModulePackages(serviceWith(needs(range)))).resolves.toBeUndefined();
  });

  it.each(['^2.0.0', '^1.5.0', '1.4.1'])('is refused with its name when it needs %s', async (range) => {
    await expect(checkModulePackages(serviceWith(needs(range)))).rejects.toThrow(
      new Error(
        `@acme/petstore-loyalty 3.1.0 needs @petstore/platform ${range}, but this service has 1.4.2: install a version of the module that fits.`,
      ),
    );
  });

  it.each(['@petstore/platform', 'typeorm'])('is refused when it would load a second %s', async (name) => {
    const root = serviceWith(needs('^1.0.0'), { [name]: { version: '1.4.2' } });
    await expect(checkModulePackages(root)).rejects.toThrow(
      `@acme/petstore-loyalty 3.1.0 would load a second copy of ${name}, that in `,
    );
  });

  it('is refused when it is linked to a folder that has a platform of its own', async () => {
    const own = { '@petstore/platform': { version: '1.4.2' } };
    const folder = join(
      dirname(serviceWith(needs('^1.0.0'), own)),
      'node_modules',
      '@acme',
      'petstore-loyalty',
    );
    const root = serviceWith(needs('^1.0.0'));
    const installed = join(dirname(root), 'node_modules', '@acme', 'petstore-loyalty');
    rmSync(installed, { recursive: true });
    symlinkSync(folder, installed);
    await expect(checkModulePackages(root)).rejects.toThrow(`that in ${folder}`);
  });

  it('is ignored when it does not say which platform it needs', async () => {
    const root = serviceWith({}, { typeorm: { version: '0.3.0' } });
    await expect(checkModulePackages(root)).resolves.toBeUndefined();
  });
});
