/*
 * `npm run platform:pack [-- <folder>]`: packs what services and modules of other repositories are built on, into the folder, and
 * prints the files: the platform, and the generator with what builds and tests a service.
 *
 * The platform holds the whole service, compiled and with types. It is put together in `dist/platform`, with the dependencies of
 * the service, so that no list has to be kept twice.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compile, copyAssets } from '../../tools/build.mjs';
import { stageCreate } from '../create/pack.mjs';

const PROJECT = join(import.meta.dirname, '..', '..');
const STAGE = join(PROJECT, 'dist', 'platform');
const SERVICE = join(STAGE, 'service');

/** Import paths of the package, with the file of each; its types lie beside it. */
const EXPORTS = {
  '.': './service/src/platform/exports.js',
  './pets': './service/src/exports/pets.js',
  './service': './service/src/serve.js',
  './commands': './service/src/run-commands.js',
  './ormconfig': './service/src/service-data-source.js',
  './testing': './service/test/support/service/testing.js',
  './testing/contract': './service/test/support/service/testing-contract.js',
  './testing/setup': './service/test/support/jest/jest-global-setup.js',
  './testing/teardown': './service/test/support/jest/jest-global-teardown.js',
  // What the files of a service refer to, by the names that Jest, TypeScript and Docker Compose look for.
  './jest-preset': './jest-preset.json',
  './tsconfig.json': './tsconfig.json',
  './package.json': './package.json',
};

/** Packages that a module's suites need besides the dependencies of the service. */
const OF_SUITES = ['@nestjs/testing', 'ajv', 'ajv-formats', 'fast-check'];

const readJson = (...path) => JSON.parse(readFileSync(join(PROJECT, ...path), 'utf8'));

/** The judge of migrations, which the suites import by its name: no registry has it, so it comes along in the package. */
const JUDGE = '@petstore/migrations';

function bundleJudge() {
  const folder = join(STAGE, 'node_modules', JUDGE);
  mkdirSync(folder, { recursive: true });
  renameSync(join(SERVICE, 'packages', 'migrations', 'src'), join(folder, 'src'));
  const judge = readJson('packages', 'migrations', 'package.json');
  const packed = { ...judge, exports: { '.': './src/index.js' } };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
  return { [JUDGE]: judge.version };
}

/** Empties `features.js`: the tests of a module name the features that they start. */
function leaveOutFeatures() {
  // Marked as compiled: without that, importers find a `default` in it.
  const text = "Object.defineProperty(exports, '__esModule', { value: true });\n";
  writeFileSync(join(SERVICE, 'src', 'features.js'), text);
}

const writeJson = (name, value) => writeFileSync(join(STAGE, name), `${JSON.stringify(value, null, 2)}\n`);

/** Writes what the configuration of a service extends: how this service is compiled and tested. */
function writeConfigurations() {
  const { transform, moduleNameMapper, testRegex, testTimeout, workerIdleMemoryLimit } =
    readJson('package.json').jest;
  const esModules = Object.entries(moduleNameMapper).filter(([, target]) => Array.isArray(target));
  writeJson('jest-preset.json', {
    roots: ['<rootDir>/src', '<rootDir>/test'],
    testRegex,
    moduleNameMapper: Object.fromEntries(esModules),
    transform,
    testTimeout,
    workerIdleMemoryLimit,
    globalSetup: '@petstore/platform/testing/setup',
    globalTeardown: '@petstore/platform/testing/teardown',
  });
  const {
    incremental: _,
    tsBuildInfoFile: __,
    ...compilerOptions
  } = readJson('tsconfig.json').compilerOptions;
  writeJson('tsconfig.json', {
    compilerOptions: {
      ...compilerOptions,
      types: ['node', 'jest'],
      rootDir: '${configDir}',
      outDir: '${configDir}/dist',
    },
  });
}

function writePackageJson(bundled) {
  const { dependencies: all, devDependencies, engines } = readJson('package.json');
  // Modules that this service has as files are no dependencies of others.
  const own = Object.entries(all).filter(([, range]) => !range.startsWith('file:'));
  const dependencies = Object.fromEntries([
    ...own,
    ...OF_SUITES.map((name) => [name, devDependencies[name]]),
  ]);
  const packed = {
    ...readJson('packages', 'platform', 'package.json'),
    engines,
    exports: EXPORTS,
    dependencies: { ...dependencies, ...bundled },
    bundleDependencies: Object.keys(bundled),
  };
  writeJson('package.json', packed);
  return packed;
}

function pack(stage) {
  const file = execFileSync('npm', ['pack', stage, '--silent', '--pack-destination', folder], {
    cwd: PROJECT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  process.stdout.write(`${join(folder, file.trim())}\n`);
}

rmSync(STAGE, { recursive: true, force: true });
compile(import.meta.dirname);
copyAssets(SERVICE);
leaveOutFeatures();
writeConfigurations();
const platform = writePackageJson(bundleJudge());
const folder = resolve(process.argv[2] ?? '.');
mkdirSync(folder, { recursive: true });
pack(STAGE);
pack(stageCreate(platform));
